"""Have the answers of a run judged: after its check, by models that are asked like any other.

Judges are asked from this process, whoever checks: on the event loop of the run, through its limiters and
retries, for its budget. Equal questions are asked once, also by a run that is resumed.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace

from steelyard.checks.classifier import classified
from steelyard.checks.judge.judge import Ask, Judge, Panel
from steelyard.checks.judge.judged import judged, judged_digest
from steelyard.errors import ProviderError
from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.evalset import JudgePlan
from steelyard.model.facts import Outcome
from steelyard.model.request import Reply, Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.check.checking import unbroken
from steelyard.runner.draw.drawer import Drawer, Halt
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.workers import Crew, Task

AT_A_TIME = 64  # answers that are judged; each takes a thread, which only waits


class JudgesDesk:
    """Asks judges on the event loop for threads that wait; made in that loop."""

    def __init__(self, drawer: Drawer, replies: JudgeReplies) -> None:
        self._drawer = drawer
        self._replies = replies
        self._loop = asyncio.get_running_loop()
        self._asked: dict[SampleKey, asyncio.Task[Reply]] = {}
        self._waiting: set[Future[Reply]] = set()
        self.halts: dict[str, Halt] = {}  # why nobody is asked any more, by provider

    def ask(self, request: Request) -> Reply:
        """Ask a judge and wait for the reply; from any thread but that of the event loop."""
        future = asyncio.run_coroutine_threadsafe(self._replied(request), self._loop)
        self._waiting.add(future)
        try:
            return future.result()
        except CancelledError:
            raise ProviderError("the run was stopped before the judge replied", kind="stopped") from None
        finally:
            self._waiting.discard(future)

    async def close(self) -> None:
        """Wait for no judge any more, and for all that they said to be written."""
        for future in tuple(self._waiting):
            future.cancel()
        for task in self._asked.values():
            task.cancel()
        await self._replies.close()

    async def _replied(self, request: Request) -> Reply:
        """Return the reply to an equal question, or ask."""
        key = request.key
        if (known := self._replies.find(key)) is not None:
            return known
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._drawn(request))
            self._asked[key].add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(self._asked[key])

    async def _drawn(self, request: Request) -> Reply:
        for halt in self.halts.values():
            raise ProviderError(str(halt), kind="halted")
        try:
            reply, _ = await self._drawer.replied(request)
        except Halt as halt:
            self.halts.setdefault(request.provider, halt)
            raise ProviderError(str(halt), kind="halted") from halt
        reply = replace(reply, fence=reply.fence or request.fence)
        self._replies.keep(request.key, reply)
        return reply


class JudgingCrew:
    """A crew around another one: what that has checked is judged too, in threads that wait for judges."""

    check_size = 1  # judging one answer takes as long as many checks

    def __init__(self, crew: Crew, plan: JudgePlan, desk: JudgesDesk) -> None:
        self._crew = crew
        self._desk = desk
        self._judge = judge_of(plan, desk.ask)
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="judge")
        self.check_width = crew.check_width + AT_A_TIME
        self.halts = desk.halts

    @property
    def draw_size(self) -> int:
        """As the other crew has it."""
        return self._crew.draw_size

    def draw_width(self, provider: str) -> int:
        """Return what the other crew says."""
        return self._crew.draw_width(provider)

    async def draw(self, requests: Sequence[Request]) -> list[Sample | Halt]:
        """Let the other crew draw."""
        return await self._crew.draw(requests)

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Let the other crew check, and then the judges judge."""
        seen = await self._crew.check(tasks)
        work = zip(tasks, seen, strict=True)
        return list(await asyncio.gather(*(self._judged(*task, outcome) for task, outcome in work)))

    async def close(self) -> None:
        """Let the other crew go, and whoever waits for a judge."""
        await self._desk.close()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        await self._crew.close()

    async def _judged(self, case: Case, sample: Sample, seen: Outcome) -> Outcome:
        if seen.facts.classification is Classification.ERROR:
            return seen
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._threads, lambda: unbroken(lambda: self._with_judgement(case, sample, seen))
        )

    def _with_judgement(self, case: Case, sample: Sample, seen: Outcome) -> Outcome:
        outcome = judged(case, sample.text, seen, judge=self._judge)
        if seen.facts.classification is not None:
            return outcome
        return classified(case, outcome, sample.text, sample.finish_reason)


def judge_of(plan: JudgePlan, ask: Ask) -> Judge:
    """Return the judge that a plan describes."""
    return Judge(plan.rubric, Panel(judges=plan.models, parameters=plan.parameters), ask)


def digest_with_judges(check_digest: str | None, plan: JudgePlan | None) -> str | None:
    """Return a name for a check with the judges of a set, or the check's own where nobody judges."""
    if plan is None or check_digest is None:
        return check_digest
    return judged_digest(check_digest, judge_of(plan, _nobody))


def _nobody(_: Request) -> Reply:
    raise NotImplementedError
