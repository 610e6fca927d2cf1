"""Run an eval set: draw answers, check them, keep everything; or go on with a run."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, Unpack

from steelyard.app.config import ConfigSource, load_config
from steelyard.app.run_handle import Run
from steelyard.app.settings import ExecutionOptions, run_settings
from steelyard.app.validate import EvalSetSource, load_eval_set
from steelyard.errors import InfrastructureError, UserError
from steelyard.model.config import Config
from steelyard.model.evalset import EvalSet, JudgePlan
from steelyard.model.outcome import Isolation
from steelyard.model.progress import ProgressCallback, RunProgress, RunResult, StopCause
from steelyard.model.request import Parameters
from steelyard.runner.check.isolation import require_case_isolation
from steelyard.runner.plan import RunOptions, RunPlan, extend_plan, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.sources.answers.read import Answers, read_answers
from steelyard.sources.rubric.read import read_rubric
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.run_store import open_run as open_store
from steelyard.store.run.stored_set import read_stored_set

INCOMPLETE = 4  # the exit code when the budget is spent or the user stopped

Notify = Callable[[str], None]


class SamplingOptions(TypedDict, total=False):
    """The parameters of sampling among the arguments of `run`."""

    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class EndedRun(Run):
    """A run, and how the session that drew and checked it ended."""

    result: RunResult

    @property
    def exit_code(self) -> int:
        """The exit code of `steelyard run`: 0 complete, 3 infrastructure failure, 4 incomplete."""
        return exit_code(self.result)


def run(  # noqa: PLR0913  # one parameter for each option of the command
    eval_set: EvalSetSource | None = None,
    *,
    resume: str | Path | None = None,
    address: str | Path | None = None,
    config: ConfigSource = None,
    models: str | Iterable[str] = (),
    tiers: str | Iterable[str] = (),
    judges: str | Iterable[str] = (),
    samples: int | None = None,
    pass_k: int | Iterable[int] = 1,
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int | None = None,
    seed: int | None = None,
    replay: str | Path | None = None,
    require_isolation: Isolation | None = None,
    progress: ProgressCallback | None = None,
    notify: Notify = warnings.warn,
    **execution: Unpack[ExecutionOptions],
) -> EndedRun:
    """Draw answers to an eval set, check them in a sandbox and keep everything as a run.

    `eval_set` is a set, a TOML file, a folder of them, or the name of a shipped set. With `resume`, go on
    with the run at that address. `address` says where a new run is kept; by default a new folder in `runs`.
    `models` are `provider/name`; without any, those of the eval set or of the configuration are called.
    `replay` is a file of recorded answers that stand in for all models. `execution` are the limits, prices,
    engine and sandbox of `ExecutionOptions`. What is missing raises an error before anything is drawn, and so
    do cases that are graded with less isolation than `require_isolation`.

    `progress` is called a few times a second with a `RunProgress`, `notify` with each warning about the plan
    or an agent's network, and before packages are installed.
    Ctrl-C finishes the calls under way; a second one stops at once. What was drawn is kept, and `resume`
    goes on with it.
    """
    chosen = load_config(config)
    recorded = None if replay is None else read_answers(str(replay))
    options = RunOptions(
        models=_names(models),
        tiers=_names(tiers),
        samples=samples,
        pass_k=(pass_k,) if isinstance(pass_k, int) else tuple(pass_k),
        parameters=Parameters(temperature=temperature, top_p=top_p, max_tokens=max_tokens, seed=seed),
    )
    settings = run_settings(chosen, recorded=recorded, **execution)
    options = _with_defaults(options, chosen, recorded)
    store, plan = _planned(eval_set, resume, options, _names(judges))
    require_case_isolation(plan.eval_set.cases, require_isolation)
    for warning in plan.warnings(options.pass_k):
        notify(warning)
    resources = RunResources(plan.eval_set, plan.subjects, settings, notify=notify)
    if store is None:
        store = begin_run(plan, None if address is None else str(address), root=chosen.runs)
    else:
        extend_run(store.hold(), plan)
    result = execute(store, plan.eval_set, resources, progress=progress or ignore_progress)
    return EndedRun(result.address, result)


def exit_code(result: RunResult) -> int:
    """Return the exit code of a session: 0 complete, 3 infrastructure failure, 4 incomplete."""
    total = result.progress.total
    if any(reason.cause is StopCause.PROVIDER for reason in result.stopped.values()):
        return InfrastructureError.exit_code
    if total.errored and not total.checked:
        return InfrastructureError.exit_code
    return 0 if result.is_complete else INCOMPLETE


def ignore_progress(_: RunProgress) -> None:
    """Show nothing."""


def _planned(
    source: EvalSetSource | None, resume: str | Path | None, options: RunOptions, judges: Sequence[str]
) -> tuple[RunStore | None, RunPlan]:
    """Return the plan of a new run; or the store of a run that goes on, and the plan of what it gets."""
    if resume is None:
        if source is None:
            raise UserError("`eval_set` is missing; to go on with a run, name it: `resume=RUN`")
        return None, plan_run(_with_judges(load_eval_set(source), judges), options)
    store = apply_pending_regrade(open_store(resume))
    known = read_stored_set(store.location) if source is None else load_eval_set(source)
    wanted = _with_judges(known, judges)
    _require_same_judges(store, wanted)
    return store, extend_plan(store.manifest, wanted, options)


def _with_defaults(options: RunOptions, config: Config, recorded: Answers | None) -> RunOptions:
    """Return the options with the models to call if neither the user nor the eval set names any."""
    if recorded is None:
        return replace(options, default_models=config.models)
    return replace(options, default_models=recorded.models(), default_samples=recorded.fewest_attempts())


def _with_judges(eval_set: EvalSet, judges: Sequence[str]) -> EvalSet:
    """Return the set with the judges that the user names; the rubric is the set's own or the default."""
    if not judges:
        return eval_set
    plan = eval_set.judge or JudgePlan(models=(), rubric=read_rubric())
    return replace(eval_set, judge=replace(plan, models=tuple(dict.fromkeys(judges))))


def _require_same_judges(store: RunStore, wanted: EvalSet) -> None:
    """Require the judges and the rubric that the run began with: its scores would mean two things."""
    known, now = store.manifest.judges, None if wanted.judge is None else wanted.judge.record
    if known != now:
        by = "no one" if known is None else f"{', '.join(known.models)} by the rubric {known.rubric!r}"
        raise UserError(
            f"{store.location.address}: the answers of this run are judged by {by}, and the set or `judges` "
            f"now says otherwise; judge all of them again with `steelyard regrade`, or begin a new run"
        )


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
