"""Connect the stages of a run: draw, check, judge, commit outcomes.

Each stage works at its own speed; a full queue in front of a stage pauses the one before it. Only this
process commits, and in one thread.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from steelyard.runner.check.stage import CheckStage
from steelyard.runner.draw.stage import DrawStage
from steelyard.runner.judge.client import JudgeClient
from steelyard.runner.judge.stage import JudgeStage
from steelyard.runner.outcomes import OutcomeStage
from steelyard.runner.stop_state import StopState
from steelyard.runner.work import Work
from steelyard.runner.workers import Workers


class Pipeline:
    """The stages of one session; each closes the next one when nothing more comes from it."""

    def __init__(self, work: Work, workers: Workers, stop: StopState, *, judges: JudgeClient | None) -> None:
        self._writer = writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        # Without a stop rule nothing waits for outcomes, and full commits are better.
        self._outcomes = OutcomeStage(
            work, writer=writer, is_idle=lambda: work.scheduler is not None and not self._pending
        )
        self._judge = None
        if judges is not None:
            self._judge = JudgeStage(judges, stop=stop, outcomes=self._outcomes.queue)
        checked = (self._judge or self._outcomes).queue
        self._check = CheckStage(work, workers.check, writer=writer, stop=stop, checked=checked)
        self._draw = DrawStage(work, workers.draw, writer=writer, stop=stop, to_check=self._check.put)

    @property
    def under_way(self) -> int:
        """How many answers are being drawn."""
        return self._draw.under_way

    @property
    def _pending(self) -> int:
        """How many samples are before the last stage."""
        judging = 0 if self._judge is None else self._judge.pending
        return self._draw.pending + self._check.pending + judging

    async def run(self) -> None:
        """Run all stages until everything is committed, or until the session is stopped."""
        with self._writer:
            try:
                async with asyncio.TaskGroup() as stages:
                    stages.create_task(self._feed_checks())
                    stages.create_task(self._check.run())
                    if self._judge is not None:
                        stages.create_task(self._judge.run())
                    stages.create_task(self._outcomes.run())
            except BaseExceptionGroup as several:
                raise _first(several) from several
            finally:
                self._writer.submit(self._draw.rescue).result()

    async def shut_down(self) -> None:
        """Stop what waits for judges."""
        if self._judge is not None:
            await self._judge.shut_down()

    async def _feed_checks(self) -> None:
        """Have stored answers and new ones checked, at the same time."""
        async with asyncio.TaskGroup() as sources:
            sources.create_task(self._check.put_unchecked())
            sources.create_task(self._draw.run())
        await self._check.queue.close()


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error of a group: the others are mostly its consequences."""
    first = several.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
