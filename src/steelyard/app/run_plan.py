"""Plan a run, or what a run that goes on gets, from the arguments of a use case and the configuration."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, Unpack, cast

from steelyard.app.benchmarks.canaries import PREFIX, is_canary
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.settings import ExecutionOptions, run_settings
from steelyard.app.validate import EvalSetSource, load_eval_set, require_gradable
from steelyard.errors import UserError
from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.config import Config
from steelyard.model.evalset import EvalSet, JudgePlan, SamplingPlan, Tier
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.request import Parameters
from steelyard.model.run import Manifest
from steelyard.model.selection import Selection
from steelyard.render.words import counted
from steelyard.runner.batch.refusals import require_batchable
from steelyard.runner.other_models import with_other_models
from steelyard.runner.plan import RunOptions, RunPlan, extend_plan, plan_run
from steelyard.runner.selection import select_cases
from steelyard.runner.settings import RunSettings
from steelyard.runner.shards import take_shard
from steelyard.sources.answers.read import Answers, read_answers
from steelyard.sources.rubric.read import read_rubric
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.stored_set import has_stored_set, read_stored_set, with_stored_cases

MOST_NAMED = 5  # cases that a warning lists
Names = str | Iterable[str]  # one name or several


class SamplingOptions(TypedDict, total=False):
    """The parameters of sampling among the arguments of `run`."""

    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    seed: int | None


class SelectionOptions(TypedDict, total=False):
    """Which part of the eval set is run."""

    cases: Names  # ids, or patterns such as sort-*
    suites: Names
    tags: Names
    limit: int | None  # how many cases at most, spread over the suites
    shard: str | None  # one of several parts of what is chosen, such as 3/16


class DrawOptions(SamplingOptions, SelectionOptions, total=False):
    """What is drawn."""

    models: Names  # as provider/name
    tiers: Names
    judges: Names
    samples: int | None  # answers to each case
    pass_k: int | Iterable[int] | None  # None: as the run began; of a new one, 1
    drop_models: Names  # of a run that goes on: models without answers that it does without
    replace_models: Mapping[str, str]  # of a run that goes on: misspelt model → the right one
    replay: str | Path | None  # a file of recorded answers that stand in for all models


class RunArguments(DrawOptions, ExecutionOptions, total=False):
    """The keywords that `run` and `forecast_run` share."""

    batch: bool  # draw by the batch interfaces of OpenAI, Anthropic and Google, at half the price


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """A plan, how it is executed, and the run that it goes on with."""

    plan: RunPlan
    options: RunOptions
    settings: RunSettings
    config: Config
    all_cases: int  # of the eval set and of the run, chosen or not
    store: RunStore | None = None  # None: a new run
    manifest: Manifest | None = None  # of the run, with other models if the user wants them
    batch: bool = False  # whether answers are drawn by batches first
    unused: tuple[str, ...] = ()  # warnings about recorded answers that no case asks for

    @property
    def grows(self) -> bool:
        """Whether more answers to any case are planned than the run has planned so far."""
        known = self.manifest
        if known is None:
            return False
        forms = {(case.suite, case.case, case.digest) for case in known.current_cases()}
        subjects = {(one.model, one.tier) for one in known.subjects}
        return any((case.suite, case.case, case.digest) not in forms for case in self.plan.cases) or any(
            (one.model, one.tier) not in subjects
            or self.plan.samples_of(one) > known.samples_of(one.model, one.tier)
            for one in self.plan.subjects
        )


def planned_run(
    eval_set: EvalSetSource | None,
    *,
    store: RunStore | None,
    config: ConfigSource,
    **arguments: Unpack[RunArguments],
) -> PlannedRun:
    """Return the plan of a new run; or, with the store of a run that goes on, of what it gets."""
    chosen, replay = load_config(config), arguments.get("replay")
    recorded = None if replay is None else read_answers(str(replay))
    settings = run_settings(chosen, recorded=recorded, **execution_options(arguments))
    judges = _names(arguments.get("judges", ()))
    manifest = with_other_models(
        None if store is None else store.manifest,
        _names(arguments.get("drop_models", ())),
        arguments.get("replace_models", {}),
    )
    whole = _with_judges(_source(eval_set, store), judges)
    options = _with_defaults(_options(arguments, manifest, whole.sampling), chosen, recorded)
    if recorded is not None:
        _require_recorded(recorded, options, whole)
    selection, shard = _selection(arguments), arguments.get("shard")
    if eval_set is None and not (selection.is_everything and shard is None):
        raise UserError(
            "`cases`, `suites`, `tags`, `limit` and `shard` choose from an eval set: name it, or leave them "
            "out; a run that goes on keeps its cases"
        )
    if store is not None and eval_set is not None and (shard is not None or store.manifest.shard is not None):
        raise UserError("a run that goes on stays the part that it is: name neither a shard nor the eval set")
    wanted = _selected(whole, selection)
    if eval_set is not None:
        require_gradable(wanted)
    if store is None or manifest is None:
        plan = plan_run(wanted, options)
        plan = plan if shard is None else take_shard(plan, shard)
    else:
        _require_same_judges(store, wanted)
        if eval_set is not None:
            _require_same_tiers(store, wanted)
            _require_same_suites(store, wanted)
        wanted, whole = (with_stored_cases(store.location, one) for one in (wanted, whole))
        plan = extend_plan(manifest, wanted, options)
    if batch := arguments.get("batch", False):
        require_batchable(plan, settings)
    return PlannedRun(
        plan=replace(plan, recorded=recorded is not None),
        options=options,
        settings=settings,
        config=chosen,
        all_cases=len(whole.cases),
        store=store,
        manifest=manifest,
        batch=batch,
        unused=() if recorded is None or eval_set is None else _unused(recorded, whole),
    )


def _unused(recorded: Answers, whole: EvalSet) -> tuple[str, ...]:
    """Return a warning if there are recorded answers that no case of the set asks for, chosen or not."""
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


def _options(arguments: DrawOptions, manifest: Manifest | None, sampling: SamplingPlan) -> RunOptions:
    pass_k = arguments.get("pass_k")
    if pass_k is None:
        pass_k = (_tries(sampling) if manifest is None else manifest.pass_k) or 1
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


def _tries(sampling: SamplingPlan) -> tuple[int, ...]:
    """Return after how many tries a report says how many cases passed, where tries follow each other."""
    return tuple(range(1, stop_rule_of(sampling.stop_rule or "").maximum + 1)) if sampling.feedback else ()


def execution_options(arguments: RunArguments) -> ExecutionOptions:
    """Return the arguments that say how a plan is executed, not what is in it."""
    known = ExecutionOptions.__annotations__
    return cast("ExecutionOptions", {name: value for name, value in arguments.items() if name in known})


def _selection(arguments: SelectionOptions) -> Selection:
    return Selection(
        cases=_names(arguments.get("cases", ())),
        suites=_names(arguments.get("suites", ())),
        tags=_names(arguments.get("tags", ())),
        limit=arguments.get("limit"),
    )


def _selected(whole: EvalSet, selection: Selection) -> EvalSet:
    """Return the chosen part; refuse one without any of the canaries, for which the user has asked."""
    wanted = select_cases(whole, selection)
    if any(map(is_canary, whole.cases)) and not any(map(is_canary, wanted.cases)):
        raise UserError(
            f"{whole.id}: what is chosen by `cases`, `suites`, `tags` and `limit` leaves out every canary. "
            f"Add '{PREFIX}*' to `cases`, choose more, or ask for no canaries."
        )
    return wanted


def _source(eval_set: EvalSetSource | None, store: RunStore | None) -> EvalSet:
    if eval_set is not None:
        return load_eval_set(eval_set)
    if store is None:
        raise UserError("`eval_set` is missing; to go on with a run, name it: `resume=RUN`")
    return read_stored_set(store.location)


def _with_defaults(options: RunOptions, config: Config, recorded: Answers | None) -> RunOptions:
    """Return the options with the models to call if neither the user nor the eval set names any."""
    if recorded is None:
        return replace(options, default_models=config.models)
    return replace(options, default_models=recorded.models(), default_samples=recorded.fewest_attempts())


def _require_recorded(recorded: Answers, options: RunOptions, eval_set: EvalSet) -> None:
    """Refuse a record of unknown models, and models of which it has no answer."""
    named = options.models or tuple(one.model for one in eval_set.subjects) or options.default_models
    if not named:
        raise UserError(
            f"{recorded.path}: names no model; say whose answers they are: `models=provider/name`"
        )
    for model in named:
        if not recorded.has_model(model):
            raise UserError(
                f"{recorded.path}: has no answer of {model}, but those of {', '.join(recorded.models())}"
            )


def _with_judges(eval_set: EvalSet, judges: Sequence[str]) -> EvalSet:
    """Return the set with the judges that the user names; the rubric is the set's own or the default."""
    if not judges:
        return eval_set
    plan = eval_set.judge or JudgePlan(models=(), rubric=read_rubric())
    return replace(eval_set, judge=replace(plan, models=tuple(dict.fromkeys(judges))))


def _require_same_judges(store: RunStore, wanted: EvalSet) -> None:
    """Require the judges and the rubric that the run began with: its scores would mean two things."""
    known, now = store.manifest.judges, None if wanted.judge is None else wanted.judge.record
    if known is not None and (now is None or not now.models):
        raise UserError(
            f"{store.location.address}: the answers of this run are judged by {', '.join(known.models)}, and "
            f"the set names no judges. Name them again with `judges`, or leave the set out."
        )
    if known != now:
        by = "no one" if known is None else f"{', '.join(known.models)} by the rubric {known.rubric!r}"
        raise UserError(
            f"{store.location.address}: the answers of this run are judged by {by}, and the set or `judges` "
            f"now says otherwise. Judge all of them again with `steelyard regrade`, or begin a new run."
        )


def _require_same_suites(store: RunStore, wanted: EvalSet) -> None:
    """Refuse a case that stands in another suite than in the run: it would count twice."""
    suites = {one.case: one.suite for one in store.manifest.current_cases()}
    for case in wanted.cases:
        before = suites.get(case.id, case.suite)
        if before != case.suite:
            raise UserError(
                f"case {case.id} has moved from suite {before} to {case.suite}, and would count twice: "
                f"move it back, or begin a new run"
            )


def _require_same_tiers(store: RunStore, wanted: EvalSet) -> None:
    """Require tiers that ask as they did: answers to two prompts would be counted as answers to one."""
    if not has_stored_set(store.location.address):
        return
    stored = read_stored_set(store.location)
    if stored.sampling.feedback != wanted.sampling.feedback:
        was = "with" if stored.sampling.feedback else "without"
        raise UserError(
            f"{store.location.address}: this run is drawn {was} feedback, and the set now says otherwise; "
            f"begin a new run"
        )
    before, now = _asking(stored), _asking(wanted)
    for tier in dict.fromkeys(subject.tier for subject in store.manifest.subjects):
        if before.get(tier, Tier(id=tier)) != now.get(tier, Tier(id=tier)):
            raise UserError(
                f"{store.location.address}: tier {tier} of the set asks in another way than it did in this "
                f"run. Give the new tier a name of its own, or begin a new run."
            )


def _asking(eval_set: EvalSet) -> dict[str, Tier]:
    """Return the tiers without what no model sees."""
    return {tier.id: replace(tier, name="", description="") for tier in eval_set.tiers}


def _names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
