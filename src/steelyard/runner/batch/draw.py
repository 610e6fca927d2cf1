"""Run the batch phase of a run to its end, or until the user stops waiting."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from steelyard.model.evalset import EvalSet
from steelyard.model.progress import JudgeSpend, ProgressCallback, RunProgress, RunResult
from steelyard.runner.batch.phase import BatchPhase
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.resources import RunResources
from steelyard.runner.work import tally_of
from steelyard.store.run.batches import BatchFiles
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import read_unbillable_spend


def draw_by_batches(  # noqa: PLR0913  # the run, its parts, and what to tell meanwhile
    store: RunStore,
    eval_set: EvalSet,
    resources: RunResources,
    *,
    submits: bool,
    announce: Callable[[str], None],
    progress: ProgressCallback,
) -> RunResult | None:
    """Collect the batches of a run that is held for writing, and with `submits` draw the rest by batches.

    Returns None when a session may follow, or the result of the run if the user pressed Ctrl-C.
    """
    if not submits and not BatchFiles(store.location).read():
        return None
    spending = _Spending(store, eval_set, resources)
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
        announce("stopped waiting: what is submitted goes on; `--resume` with `--batch` collects it")
        return RunResult(
            address=store.location.address, progress=spending.snapshot(0), stopped={}, was_stopped=True
        )
    return None


def _run(phase: BatchPhase, *, submits: bool) -> None:
    """Run the phase; where an event loop is running already, as in a notebook, in a thread of its own."""
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


class _Spending:
    """What a run has drawn and spent so far, by its tables and files."""

    def __init__(self, store: RunStore, eval_set: EvalSet, resources: RunResources) -> None:
        self._store, self._cap = store, resources.settings.max_nano_usd
        self._has_judges = eval_set.judge is not None
        self._judges: JudgeSpend = JudgeReplies(ReplyFiles(store.location)).spend
        self._unanswered = read_unbillable_spend(store.location)

    def left(self) -> int | None:
        """Return what may still be spent; None: no cap."""
        return None if self._cap is None else self._cap - self.snapshot(0).spent_nano_usd

    def snapshot(self, waiting: int) -> RunProgress:
        """Return the progress of the run, with so many answers in open batches."""
        tally = tally_of(self._store)
        return RunProgress(
            subjects=tally.snapshot(),
            spent_nano_usd=tally.cost_nano_usd + self._judges.cost_nano_usd + self._unanswered,
            max_nano_usd=self._cap,
            judges=self._judges if self._has_judges else None,
            under_way=waiting,
        )
