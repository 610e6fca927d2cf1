"""Connect the stages of a run: generate, check, judge, commit outcomes.

A full queue pauses the stage before it. Only one thread of this process commits.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from steelyard.runner.check.stage import CheckStage
from steelyard.runner.generate.stage import GenerateStage
from steelyard.runner.judge.client import JudgeClient
from steelyard.runner.judge.stage import JudgeStage
from steelyard.runner.outcomes import OutcomeStage
from steelyard.runner.resources import Workers
from steelyard.runner.stop_state import StopState
from steelyard.runner.work import Work


class Pipeline:
    """The stages of one session; each closes the next one at its end."""

    def __init__(self, work: Work, workers: Workers, stop: StopState, *, judges: JudgeClient | None) -> None:
        self._writer = writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        # Without a stop rule nothing waits for outcomes: prefer full commits.
        self._outcomes = OutcomeStage(
            work, writer=writer, is_idle=lambda: work.scheduler is not None and not self._pending
        )
        self._judge = None
        if judges is not None:
            self._judge = JudgeStage(judges, stop=stop, outcomes=self._outcomes.queue)
        checked = (self._judge or self._outcomes).queue
        self._check = CheckStage(work, workers.check, writer=writer, stop=stop, checked=checked)
        self._generate = GenerateStage(
            work, workers.generate, writer=writer, stop=stop, to_check=self._check.put
        )

    @property
    def under_way(self) -> int:
        """How many answers are being generated."""
        return self._generate.under_way

    @property
    def _pending(self) -> int:
        """The number of samples before the last stage."""
        judging = 0 if self._judge is None else self._judge.pending
        return self._generate.pending + self._check.pending + judging

    async def run(self) -> None:
        """Run all stages until everything is committed or the session is stopped."""
        with self._writer:
            try:
                async with asyncio.TaskGroup() as stages:
                    stages.create_task(self._feed_checks())
                    stages.create_task(self._check.run())
                    if self._judge is not None:
                        stages.create_task(self._judge.run())
                    stages.create_task(self._outcomes.run())
            except BaseExceptionGroup as several:
                raise _find_first_error(several) from several
            finally:
                self._writer.submit(self._generate.rescue).result()

    async def shut_down(self) -> None:
        """Stop the threads that wait for judges."""
        if self._judge is not None:
            await self._judge.shut_down()

    async def _feed_checks(self) -> None:
        """Feed the check stage from the store and from generation, concurrently."""
        async with asyncio.TaskGroup() as sources:
            sources.create_task(self._check.put_unchecked())
            sources.create_task(self._generate.run())
        await self._check.queue.close()


def _find_first_error(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error of a group; the others usually follow from it."""
    first = several.exceptions[0]
    return _find_first_error(first) if isinstance(first, BaseExceptionGroup) else first
