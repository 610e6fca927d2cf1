"""Plan a new or resumed run from its arguments: find the run, load the eval set, plan what to generate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from steelyard.app.agents import with_agents
from steelyard.app.benchmarks.canaries import PREFIX, is_canary
from steelyard.app.settings import (
    ConfigSource,
    GenerateOptions,
    Names,
    RunArguments,
    SelectionOptions,
    execution_options,
    load_config,
    run_settings,
)
from steelyard.app.validate import EvalSetSource, load_eval_set, require_gradable
from steelyard.errors import InputError, UserError
from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.config import Config
from steelyard.model.evalset import EvalSet, JudgePlan, SamplingPlan
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.request import Parameters
from steelyard.model.run import Manifest
from steelyard.model.selection import Selection
from steelyard.render.words import counted
from steelyard.runner.batch.refusals import require_batchable
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.resumed_plan import change_models, extend_plan, require_same_judges, require_same_set
from steelyard.runner.selection import exclude_cases, select_cases, take_shard
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import Answers, read_answers
from steelyard.sources.rubric.read import read_rubric
from steelyard.store.run.run_store import RunStore, is_run, open_run
from steelyard.store.run.stored_set import has_stored_set, read_stored_set, with_stored_cases

MOST_NAMED = 5  # cases that a warning lists


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A request for a new run of a set, or for resuming one."""

    eval_set: EvalSetSource | None
    resume: str | Path | None
    address: str | Path | None
    or_resume: bool
    config: ConfigSource
    arguments: RunArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """A plan, its settings, and the resumed run."""

    plan: RunPlan
    options: RunOptions
    settings: RunSettings
    config: Config
    all_cases: int  # of the eval set and of the run, selected or not
    store: RunStore | None = None  # None: a new run
    manifest: Manifest | None = None  # of the resumed run, with changed models
    batch: bool = False  # whether batch APIs generate answers first
    unused: tuple[str, ...] = ()  # warnings about recorded answers without a case

    @property
    def grows(self) -> bool:
        """Whether the plan has more samples of any case than the stored run."""
        manifest = self.manifest
        if manifest is None:
            return False
        forms = {(case.suite, case.case, case.digest) for case in manifest.current_cases()}
        subjects = {(subject.model, subject.tier) for subject in manifest.subjects}
        return any((case.suite, case.case, case.digest) not in forms for case in self.plan.cases) or any(
            (subject.model, subject.tier) not in subjects
            or self.plan.samples_of(subject) > manifest.samples_of(subject.model, subject.tier)
            for subject in self.plan.subjects
        )


def plan_request(
    request: RunRequest, *, open_store: Callable[[str | Path], RunStore] = open_run
) -> PlannedRun:
    """Plan a new run or the rest of an existing one; `open_store` opens the latter."""
    if request.resume is not None:
        _require_resumable(request)
    elif request.or_resume and _is_begun(request):
        request = replace(
            request, eval_set=None, resume=request.address, arguments=_without_planning(request.arguments)
        )
    store = None if request.resume is None else open_store(request.resume)
    return _plan(request.eval_set, store, load_config(request.config), request.arguments)


def _require_resumable(request: RunRequest) -> None:
    """Require a run at the address, and no second address."""
    if request.address is not None or request.or_resume:
        other = "`or_resume`" if request.address is None else "the other address"
        raise UserError(f"`resume` already names the run, which keeps its address: remove {other}")
    if request.resume is not None and not is_run(request.resume):
        raise InputError(
            f"{request.resume}: there is no run here: run.json is missing. If a run was stopped before it "
            f"began, repeat its first command."
        )


def _is_begun(request: RunRequest) -> bool:
    """Whether the requested run exists; raise an error if it has another plan."""
    if request.address is None:
        raise UserError("`or_resume` needs the address of the run: set `address`")
    if not is_run(request.address):
        return False
    plan = _plan(request.eval_set, None, load_config(request.config), request.arguments).plan
    manifest = open_run(request.address).manifest
    if differences := _compare_plans(exclude_cases(plan, manifest.excluded), manifest):
        raise UserError(
            f"{request.address}: the existing run has another plan: {', '.join(differences)}; choose another "
            f"address, or resume that run with `resume`"
        )
    return True


def _compare_plans(plan: RunPlan, manifest: Manifest) -> list[str]:
    """Return the names of the parts that differ."""
    pairs = {
        "eval set": (plan.eval_set.digest, manifest.eval_set_digest),
        "models and tiers": (plan.subjects, manifest.subjects),
        "samples": (
            (plan.samples, plan.subject_samples),
            (manifest.planned_samples, manifest.subject_samples),
        ),
        "shard": (plan.shard, manifest.shard),
        "k of pass@k": (plan.pass_k, manifest.pass_k),
        "recorded or generated answers": (plan.recorded, manifest.recorded),
    }
    return [name for name, (now, before) in pairs.items() if now != before]


def _without_planning(arguments: RunArguments) -> RunArguments:
    """Drop planning arguments: a resumed run keeps its plan."""
    kept = {"replay": arguments.get("replay"), "batch": arguments.get("batch", False)}
    return cast("RunArguments", {**execution_options(arguments), **kept})


def _plan(
    source: EvalSetSource | None, store: RunStore | None, config: Config, arguments: RunArguments
) -> PlannedRun:
    replay = arguments.get("replay")
    recorded = None if replay is None else read_answers(str(replay))
    settings = run_settings(config, recorded=recorded, **execution_options(arguments))
    manifest = change_models(
        None if store is None else store.manifest,
        _names(arguments.get("drop_models", ())),
        arguments.get("replace_models", {}),
    )
    whole = _with_judges(_load_set(source, store), _names(arguments.get("judges", ())))
    whole = with_agents(whole, _names(arguments.get("agents", ())))
    options = _with_defaults(_run_options(arguments, manifest, whole.sampling), config, recorded)
    if recorded is not None:
        _require_recorded(recorded, options, whole)
    _require_source(source, store, arguments)
    selected = _select(whole, _selection(arguments))
    if source is not None:
        require_gradable(selected)
    if store is None or manifest is None:
        plan = take_shard(plan_run(selected, options), arguments.get("shard"))
    else:
        _require_same_set(store, source, selected)
        selected, whole = (with_stored_cases(store.location, eval_set) for eval_set in (selected, whole))
        plan = extend_plan(manifest, selected, options)
    if batch := arguments.get("batch", False):
        require_batchable(plan, settings)
    return PlannedRun(
        plan=replace(plan, recorded=recorded is not None),
        options=options,
        settings=settings,
        config=config,
        all_cases=len(whole.cases),
        store=store,
        manifest=manifest,
        batch=batch,
        unused=() if recorded is None or source is None else _warn_of_unused(recorded, whole),
    )


def _require_source(source: EvalSetSource | None, store: RunStore | None, arguments: RunArguments) -> None:
    """Reject a part of no eval set, and another part of a sharded run."""
    shard = arguments.get("shard")
    if source is None and not (_selection(arguments).is_everything and shard is None):
        raise UserError(
            "`cases`, `suites`, `tags`, `limit` and `shard` select from an eval set: name it, or remove "
            "them; a resumed run keeps its cases"
        )
    if store is not None and source is not None and (shard is not None or store.manifest.shard is not None):
        raise UserError("a resumed shard stays as it is: remove `shard` and the eval set")


def _load_set(source: EvalSetSource | None, store: RunStore | None) -> EvalSet:
    if source is not None:
        return load_eval_set(source)
    if store is None:
        raise UserError("`eval_set` is missing; to resume a run, name it: `resume=RUN`")
    return read_stored_set(store.location)


def _with_judges(eval_set: EvalSet, judges: Sequence[str]) -> EvalSet:
    """Return the set with the named judges and its own rubric, or the default one."""
    if not judges:
        return eval_set
    plan = eval_set.judge or JudgePlan(models=(), rubric=read_rubric())
    return replace(eval_set, judge=replace(plan, models=tuple(dict.fromkeys(judges))))


def _run_options(arguments: GenerateOptions, manifest: Manifest | None, sampling: SamplingPlan) -> RunOptions:
    pass_k = arguments.get("pass_k")
    if pass_k is None:
        pass_k = (_list_tries(sampling) if manifest is None else manifest.pass_k) or 1
    return RunOptions(
        models=_names(arguments.get("models", ())),
        tiers=_names(arguments.get("tiers", ())),
        samples=arguments.get("samples"),
        pass_k=(pass_k,) if isinstance(pass_k, int) else tuple(pass_k),
        parameters=Parameters(
            temperature=arguments.get("temperature"),
            top_p=arguments.get("top_p"),
            max_tokens=arguments.get("max_tokens"),
            seed=arguments.get("seed"),
        ),
    )


def _list_tries(sampling: SamplingPlan) -> tuple[int, ...]:
    """Return the k of pass@k after each try, where tries follow each other."""
    return tuple(range(1, stop_rule_of(sampling.stop_rule or "").maximum + 1)) if sampling.feedback else ()


def _with_defaults(options: RunOptions, config: Config, recorded: Answers | None) -> RunOptions:
    """Return the options with the models to call if neither user nor eval set names any."""
    if recorded is None:
        return replace(options, default_models=config.models)
    return replace(options, default_models=recorded.models(), default_samples=recorded.fewest_attempts())


def _require_recorded(recorded: Answers, options: RunOptions, eval_set: EvalSet) -> None:
    """Reject a record of unknown models, and models without a recorded answer."""
    named = options.models or tuple(subject.model for subject in eval_set.subjects) or options.default_models
    if not named:
        raise UserError(f"{recorded.path}: names no model; add the model: `models=provider/name`")
    for model in named:
        if not recorded.has_model(model):
            raise UserError(
                f"{recorded.path}: has no answer of {model}, but those of {', '.join(recorded.models())}"
            )


def _selection(arguments: SelectionOptions) -> Selection:
    return Selection(
        cases=_names(arguments.get("cases", ())),
        suites=_names(arguments.get("suites", ())),
        tags=_names(arguments.get("tags", ())),
        limit=arguments.get("limit"),
    )


def _select(whole: EvalSet, selection: Selection) -> EvalSet:
    """Return the selected part; reject one without any of the requested canaries."""
    eval_set = select_cases(whole, selection)
    if any(map(is_canary, whole.cases)) and not any(map(is_canary, eval_set.cases)):
        raise UserError(
            f"{whole.id}: `cases`, `suites`, `tags` and `limit` exclude every canary. "
            f"Add '{PREFIX}*' to `cases`, select more, or request no canaries."
        )
    return eval_set


def _require_same_set(store: RunStore, source: EvalSetSource | None, eval_set: EvalSet) -> None:
    """Require the prompts, suites and judges that the run began with."""
    address = store.location.address
    require_same_judges(store.manifest, eval_set, address)
    if source is not None:
        stored = read_stored_set(store.location) if has_stored_set(address) else None
        require_same_set(store.manifest, stored, eval_set, address)


def _warn_of_unused(recorded: Answers, whole: EvalSet) -> tuple[str, ...]:
    """Return a warning if recorded answers belong to no case of the set, selected or not."""
    benchmark = whole.benchmark
    if benchmark is not None and benchmark.tasks < benchmark.of_tasks:
        return ()  # a part of its tasks is meant
    known = {case.id for case in whole.cases}
    other = recorded.cases_besides(known)
    if not other:
        return ()
    names = ", ".join(list(other)[:MOST_NAMED]) + (" …" if len(other) > MOST_NAMED else "")
    lines = counted(other.total(), "line")
    hint = did_you_mean(next(iter(other)), sorted(known))
    return (f"{recorded.path}: {lines} for cases that the set does not have: {names}; {hint}",)


def _names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
