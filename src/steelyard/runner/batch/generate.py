"""Run the batch phase until it ends or the user interrupts it."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback, RunResult, StopReason
from steelyard.runner.batch.phase import BatchPhase
from steelyard.runner.resources import RunResources
from steelyard.runner.spending import Spending
from steelyard.store.run.batches import BatchFiles
from steelyard.store.run.run_store import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfBatches:
    """How the batch phase ended; a session follows unless the user pressed Ctrl-C."""

    stopped: RunResult | None = None  # the result of the run, if the user stopped it
    shortage: Mapping[str, StopReason] = field(default_factory=dict)  # why nothing more may be generated


def generate_by_batches(  # noqa: PLR0913  # the run, its parts and two callbacks
    store: RunStore,
    eval_set: EvalSet,
    resources: RunResources,
    *,
    submits: bool,
    announce: Callable[[str], None],
    progress: ProgressCallback,
) -> EndOfBatches:
    """Collect a run's submitted batches; with `submits`, submit the rest as well."""
    if not submits and not BatchFiles(store.location).read():
        return EndOfBatches()
    spending = Spending(store, eval_set, resources)
    phase = BatchPhase(
        store,
        eval_set,
        resources,
        left=spending.left,
        announce=announce,
        report=lambda waiting: progress(spending.snapshot(waiting)),
    )
    try:
        _run(phase, submits=submits)
    except KeyboardInterrupt:
        announce("stopped waiting: submitted batches continue; `--resume` with `--batch` collects them")
        return EndOfBatches(stopped=spending.stopped())
    return EndOfBatches(shortage=phase.shortage)


def _run(phase: BatchPhase, *, submits: bool) -> None:
    """Run the phase, in a thread of its own if an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(phase.run(submits=submits))
        return
    with ThreadPoolExecutor(1, thread_name_prefix="batches") as thread:
        future = thread.submit(asyncio.run, phase.run(submits=submits))
        try:
            future.result()
        except KeyboardInterrupt:
            phase.stop_waiting()
            raise
