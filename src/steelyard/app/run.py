"""Run an eval set: draw answers, check them, keep everything; or go on with a run."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from steelyard.app.config import ConfigSource
from steelyard.app.forecast import forecast_of
from steelyard.app.keywords import require_keywords
from steelyard.app.reference_check import with_passing_references
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.run_handle import Run
from steelyard.app.run_plan import PlannedRun, RunArguments, planned_run
from steelyard.app.same_run import AskedRun, same_or_new
from steelyard.app.validate import EvalSetSource
from steelyard.errors import InfrastructureError, UnknownName, UserError
from steelyard.model.call import CallObserver
from steelyard.model.outcome import Integrity
from steelyard.model.progress import (
    INCOMPLETE,
    UNCHECKED_SHARE,
    ProgressCallback,
    RunProgress,
    RunResult,
    StopCause,
)
from steelyard.model.run import Manifest
from steelyard.render.forecast import forecast_in_short
from steelyard.runner.batch.draw import draw_by_batches
from steelyard.runner.batch.refusals import require_no_open_batches
from steelyard.runner.check.integrity import require_case_integrity
from steelyard.runner.interrupts import holding_interrupts
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.runner.spending import Spending
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.run_store import RunStore, open_run

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EndedRun(Run):
    """A run, and how the session that drew and checked it ended."""

    result: RunResult

    @property
    def exit_code(self) -> int:
        """The exit code of `steelyard run`: 0 complete, 3 infrastructure failure, 4 incomplete."""
        return exit_code(self.result)


def run(  # noqa: PLR0913  # what to run, where to keep it, what to tell meanwhile
    eval_set: EvalSetSource | None = None,
    *,
    resume: RunAddress | None = None,
    address: str | Path | None = None,
    or_resume: bool = False,
    config: ConfigSource = None,
    require_integrity: Integrity | None = None,
    progress: ProgressCallback | None = None,
    notify: Notify = warnings.warn,
    announce: Notify = lambda _: None,
    observe_call: CallObserver = lambda _: None,
    **arguments: Unpack[RunArguments],
) -> EndedRun:
    """Draw answers to an eval set, check them in a sandbox and keep everything as a run.

    `eval_set` is a set, a TOML file, a folder of them, or the name of a shipped set. With `resume`, go on
    with the run at that address. `address` says where a new run is kept; by default a new folder in `runs`.
    With `or_resume`, go on with the run there if it was begun by the same arguments: a job may be repeated.
    `models` are `provider/name`; without any, those of the eval set or of the configuration are called.
    `cases`, `suites`, `tags` and `limit` choose a part of the set. `replay` is a file of recorded answers
    that stand in for all models. With `batch`, answers are drawn by the batch interfaces of vendors first, at
    half the price; what they leave unanswered is drawn directly. The other `arguments` are the limits,
    prices, engine and sandbox of `ExecutionOptions`. What is missing raises an error before anything is
    drawn, and so do cases with less integrity than `require_integrity`. So do failing
    references, unless `skip_broken` excludes their cases.

    `progress` is called a few times a second with a `RunProgress`, `notify` with each warning about the plan
    or an agent's network, and before packages are installed. `announce` is called before a run is extended,
    with what will be drawn and what it costs, and with what becomes of each batch. `observe_call` is called
    with a `CallRecord` of each call to a provider that this process made, when it has ended, and of each
    answer that it got from a batch, when it is kept.
    Ctrl-C finishes the calls under way; a second one stops at once. `resume` goes on with what was drawn.
    """
    require_keywords(arguments, RunArguments.__optional_keys__, of="run")
    asked = AskedRun(eval_set, None if resume is None else address_of(resume), arguments)
    eval_set, going_on, arguments = same_or_new(asked, address, config, or_resume=or_resume)
    store = None if going_on is None else apply_pending_regrade(open_run(going_on))
    planned = planned_run(eval_set, store=store, config=config, **arguments)
    plan = planned.plan
    require_case_integrity(plan.eval_set.cases, require_integrity, allow_unsafe=planned.settings.allow_unsafe)
    for warning in (*plan.warnings(planned.options.pass_k), *planned.unused):
        notify(warning)
    resources = _resources(planned, notify, observe_call)
    planned = with_passing_references(planned, resources, notify=notify, announce=announce)
    plan = planned.plan
    if store is None or planned.manifest is None:
        with holding_interrupts() as pressed:
            store = begin_run(plan, None if address is None else str(address), root=planned.config.runs)
        if pressed:
            return _ended(Spending(store, plan.eval_set, resources).stopped())
    else:
        if planned.grows:
            announce(forecast_in_short(forecast_of(planned)))
        _extend(store, planned, planned.manifest)
    return _ended(_drawn(store, planned, resources, announce, progress or ignore_progress))


def _extend(store: RunStore, planned: PlannedRun, manifest: Manifest) -> None:
    """Hold a run for writing, and add to its plan."""
    store.hold()
    is_changed = manifest != store.manifest
    if is_changed or planned.settings.instead is not None:
        require_no_open_batches(store, "models stay, and no recorded answers can be added")
    if is_changed:
        store.change_models(manifest)
    extend_run(store, planned.plan)


def _ended(result: RunResult) -> EndedRun:
    return EndedRun(result.address, result)


def _drawn(
    store: RunStore, planned: PlannedRun, resources: RunResources, announce: Notify, watch: ProgressCallback
) -> RunResult:
    """Draw and check what is left of a run; however early the user presses Ctrl-C, there is a result."""
    eval_set = planned.plan.eval_set
    try:
        batches = draw_by_batches(
            store, eval_set, resources, submits=planned.batch, announce=announce, progress=watch
        )
        return batches.stopped or execute(
            store, eval_set, resources, progress=watch, shortage=batches.shortage
        )
    except KeyboardInterrupt:  # before a session took over Ctrl-C, or after it let go of it
        return Spending(store, eval_set, resources).stopped()


def _resources(planned: PlannedRun, notify: Notify, observe_call: CallObserver) -> RunResources:
    plan, store = planned.plan, planned.store
    try:
        return RunResources(
            plan.eval_set, plan.subjects, planned.settings, notify=notify, observe_call=observe_call
        )
    except UnknownName as error:
        if store is None or not store.manifest.recorded:
            raise
        raise UserError(
            f"{error}. This run was drawn from a record: name it again, `replay=FILE`."
        ) from error


def exit_code(result: RunResult) -> int:
    """Return the exit code of a session: 0 complete, 3 infrastructure failure, 4 incomplete."""
    total = result.progress.total
    if total.unchecked > UNCHECKED_SHARE * (total.checked + total.unchecked):
        return InfrastructureError.exit_code
    if any(reason.cause is not StopCause.BUDGET for reason in result.stopped.values()):
        return InfrastructureError.exit_code
    if total.errored and not total.checked:
        return InfrastructureError.exit_code
    return 0 if result.is_complete else INCOMPLETE


def ignore_progress(_: RunProgress) -> None:
    """Show nothing."""
