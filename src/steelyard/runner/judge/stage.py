"""The third stage of a run with judges: judge checked answers."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from steelyard.checks.classification.classifier import classified
from steelyard.checks.forms.judge.judged import judged
from steelyard.checks.known_answers import known_answer
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.batch_queue import BatchQueue
from steelyard.runner.check.checking import unbroken
from steelyard.runner.check.stage import CheckedSample
from steelyard.runner.generate.calls import GivenUp
from steelyard.runner.judge.client import JudgeClient
from steelyard.runner.stop_state import StopState

AT_A_TIME = 64  # answers judged concurrently, each by a waiting thread


class JudgeStage:
    """Judges checked samples in threads."""

    def __init__(self, client: JudgeClient, *, stop: StopState, outcomes: BatchQueue[CheckedSample]) -> None:
        self._client = client
        self._stop = stop
        self._outcomes = outcomes
        self.queue: BatchQueue[CheckedSample] = BatchQueue(size=lambda: 1)
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="judge")
        self._under_way = 0

    @property
    def pending(self) -> int:
        """How many samples have not left this stage."""
        return self._under_way + len(self.queue)

    async def run(self) -> None:
        """Judge until the queue is closed and empty."""
        async with asyncio.TaskGroup() as workers:
            for _ in range(AT_A_TIME):
                workers.create_task(self._work_on())
        await self._outcomes.close()

    async def shut_down(self) -> None:
        """Cancel running calls and end the threads."""
        await self._client.close()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _work_on(self) -> None:
        loop = asyncio.get_running_loop()
        async for [checked] in self.queue:
            if self._stop.ends_checking:
                continue  # a resumed run checks and judges what is left
            self._under_way += 1
            outcome = await loop.run_in_executor(self._threads, self._outcome, checked)
            self._under_way -= 1
            if outcome is None:
                continue  # as above; received replies are stored
            await self._outcomes.put(checked._replace(outcome=outcome))

    def _outcome(self, checked: CheckedSample) -> Outcome | None:
        """Return the outcome with its judgement; None if the user stops the run first."""
        if checked.outcome.facts.classification is Classification.ERROR:
            return checked.outcome
        is_left = False

        def assess() -> Outcome:
            nonlocal is_left
            try:
                return self._with_judgement(checked)
            except GivenUp:
                is_left = True
                return checked.outcome

        outcome = unbroken(assess)
        return None if is_left else outcome

    def _with_judgement(self, checked: CheckedSample) -> Outcome:
        case, sample, before = checked
        outcome = judged(case, sample.text, before, judge=self._client.judge, known=known_answer(case))
        if before.facts.classification is not None:
            return outcome
        return classified(case, outcome, sample.text, sample.finish_reason)
