"""Run an eval set: generate answers, check them, store everything; or resume a run."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from steelyard.app.forecast import forecast_of
from steelyard.app.reference_check import with_passing_references
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.run_handle import Run
from steelyard.app.run_plan import PlannedRun, RunRequest, plan_request
from steelyard.app.settings import ConfigSource, RunArguments, require_keywords
from steelyard.app.solutions import with_planned_solutions
from steelyard.app.validate import EvalSetSource
from steelyard.errors import INTERRUPTED, InfrastructureError, UnknownName, UserError
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
from steelyard.runner.batch.generate import generate_by_batches
from steelyard.runner.batch.refusals import require_no_open_batches
from steelyard.runner.check.integrity import require_case_integrity
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.runner.shutdown import holding_interrupts
from steelyard.runner.spending import Spending
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.run_store import RunStore, open_run

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EndedRun(Run):
    """A run, and the result of the session that generated and checked it."""

    result: RunResult

    @property
    def exit_code(self) -> int:
        """The exit code of `steelyard run`: 0 complete, 3 infrastructure failure, 4 incomplete."""
        return exit_code(self.result)


def run(  # noqa: PLR0913  # what to run, where to store it, and callbacks
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
    """Generate answers to an eval set, check them in a sandbox and store everything as a run.

    The first Ctrl-C finishes running calls, the second stops at once; `resume` continues such a run.

    Args:
        eval_set: A set, a TOML file, a folder of them, or the name of a shipped set.
        resume: The run to resume.
        address: Where to store a new run. Default: a new folder in `runs`.
        or_resume: Resume the run at `address` if the same arguments started it, so that jobs can be repeated.
        config: Providers, prices and defaults. Default: `steelyard.toml`, if it exists.
        require_integrity: Reject cases of lower integrity.
        progress: Called a few times a second with a `RunProgress`.
        notify: Called with each warning about the plan or an agent's network, and before installations.
        announce: Called with the forecast before a run is extended, and with the state of each batch.
        observe_call: Called with a `CallRecord` of each finished call and each answer from a batch.
        arguments: Fields of `RunArguments`: models, selection, sampling, limits, prices, engine, sandbox.

    Raises:
        UserError: An argument is invalid, or a tool, a key or a price is missing.
        InputError: The eval set is invalid, or a reference fails and `skip_broken` is not set.
    """
    require_keywords(arguments, RunArguments.__optional_keys__, of="run")
    request = RunRequest(
        eval_set=eval_set,
        resume=None if resume is None else address_of(resume),
        address=address,
        or_resume=or_resume,
        config=config,
        arguments=arguments,
    )
    planned = plan_request(request, open_store=_open_for_writing)
    planned = with_planned_solutions(planned, announce)
    plan, store = planned.plan, planned.store
    require_case_integrity(plan.eval_set.cases, require_integrity, allow_unsafe=planned.settings.allow_unsafe)
    for warning in (*plan.warnings(planned.options.pass_k), *planned.unused):
        notify(warning)
    resources = _make_resources(planned, notify, observe_call)
    planned = with_passing_references(planned, resources, notify=notify, announce=announce)
    plan = planned.plan
    if store is None or planned.manifest is None:
        with holding_interrupts() as pressed:
            store = begin_run(plan, None if address is None else str(address), root=planned.config.runs)
        if pressed:
            return _make_ended(Spending(store, plan.eval_set, resources).stopped())
    else:
        if planned.grows:
            announce(forecast_in_short(forecast_of(planned)))
        _extend(store, planned, planned.manifest)
    return _make_ended(_generate(store, planned, resources, announce, progress or ignore_progress))


def _open_for_writing(address: str | Path) -> RunStore:
    """Open a run; complete a regrade that was interrupted."""
    return apply_pending_regrade(open_run(address))


def _extend(store: RunStore, planned: PlannedRun, manifest: Manifest) -> None:
    """Hold a run for writing, and extend its plan."""
    store.hold()
    is_changed = manifest != store.manifest
    if is_changed or planned.settings.instead is not None:
        require_no_open_batches(store, "models stay, and no recorded answers can be added")
    if is_changed:
        store.change_models(manifest)
    extend_run(store, planned.plan)


def _make_ended(result: RunResult) -> EndedRun:
    return EndedRun(result.address, result)


def _generate(
    store: RunStore, planned: PlannedRun, resources: RunResources, announce: Notify, watch: ProgressCallback
) -> RunResult:
    """Generate and check the rest of a run; Ctrl-C gives a result at any time."""
    eval_set = planned.plan.eval_set
    try:
        batches = generate_by_batches(
            store, eval_set, resources, submits=planned.batch, announce=announce, progress=watch
        )
        return batches.stopped or execute(
            store, eval_set, resources, progress=watch, shortage=batches.shortage
        )
    except KeyboardInterrupt:  # before a session took over Ctrl-C, or after it let go of it
        return Spending(store, eval_set, resources).stopped()


def _make_resources(planned: PlannedRun, notify: Notify, observe_call: CallObserver) -> RunResources:
    plan, store = planned.plan, planned.store
    try:
        return RunResources(
            plan.eval_set, plan.subjects, planned.settings, notify=notify, observe_call=observe_call
        )
    except UnknownName as error:
        if store is None or not store.manifest.recorded:
            raise
        raise UserError(
            f"{error}. This run replays recorded answers: add their file, `replay=FILE`."
        ) from error


def exit_code(result: RunResult) -> int:
    """Return the exit code: 0 complete, 3 infrastructure failure, 4 incomplete, 130 interrupted."""
    total = result.progress.total
    if total.unchecked > UNCHECKED_SHARE * (total.checked + total.unchecked):
        return InfrastructureError.exit_code
    if any(reason.cause is not StopCause.BUDGET for reason in result.stopped.values()):
        return InfrastructureError.exit_code
    if total.errored and not total.checked:
        return InfrastructureError.exit_code
    if result.was_stopped:
        return INTERRUPTED
    return 0 if result.is_complete else INCOMPLETE


def ignore_progress(_: RunProgress) -> None:
    """Show nothing."""
