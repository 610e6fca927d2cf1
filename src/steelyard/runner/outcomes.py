"""The last stage of a run: commit and count outcomes."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from steelyard.metrics.appraisal import Appraiser
from steelyard.metrics.rules import rule_of
from steelyard.runner.batch_queue import BatchQueue, chunk_name, commit_queue
from steelyard.runner.check.stage import CheckedSample
from steelyard.runner.work import Work


class OutcomeStage:
    """Commits outcomes in batches; stop rules see only committed ones."""

    def __init__(self, work: Work, *, writer: Executor, is_idle: Callable[[], bool]) -> None:
        """`is_idle`: no outcomes are on their way, so a batch need not wait."""
        self._work = work
        self._writer = writer
        self._appraiser = Appraiser(rule_of(work.store.manifest.scoring))
        self.queue: BatchQueue[CheckedSample] = commit_queue(is_idle=is_idle)

    async def run(self) -> None:
        """Commit until the queue is closed and empty."""
        loop, work = asyncio.get_running_loop(), self._work
        async for batch in self.queue:
            await loop.run_in_executor(self._writer, self._commit, batch)
            for _, sample, outcome in batch:
                passed = self._appraiser.of(outcome.facts).passed
                work.tally.add_outcome(sample, outcome, passed=passed)
                if work.feedback is not None and passed is False:
                    work.feedback.add(sample, outcome.detail)
                if work.scheduler is not None:
                    work.scheduler.add_outcome(sample.key, passed=passed)

    def _commit(self, batch: Sequence[CheckedSample]) -> None:
        chunk = chunk_name([sample for _, sample, _ in batch])
        self._work.store.add_outcomes([(sample, outcome) for _, sample, outcome in batch], chunk=chunk)
