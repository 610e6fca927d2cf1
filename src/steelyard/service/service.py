"""Check answers within deadlines: equal answers once, failures of the infrastructure never as 0."""

import asyncio
from collections import OrderedDict
from dataclasses import replace
from typing import cast

from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.sample import text_digest
from steelyard.service.admission import Admission, Reason, Refused
from steelyard.service.checked import Checked
from steelyard.service.counters import Counters
from steelyard.service.pool import Job, WorkerLost, WorkerPool
from steelyard.service.programs import Program, ProgramResult
from steelyard.service.served_sets import ServedCase
from steelyard.service.worker import Answer, Result, Task

OVERHEAD_S = 30.0  # of the default deadline, for the queue
LONGER = 4.0  # a busy machine may extend a case's time limit so many times
REMEMBERED_OUTCOMES = 20_000
LONGEST_DETAIL = 4096

Key = tuple[str, ...]


def default_deadline_s(case: Case) -> float:
    """Return a deadline that leaves an answer its whole time limit on a busy machine."""
    return LONGER * case.timeout_s + OVERHEAD_S


class CheckService:
    """Checks answers on a pool of workers; used from one event loop."""

    def __init__(self, pool: WorkerPool, *, queue_limit: int, counters: Counters) -> None:
        self.admission = Admission(queue_limit=queue_limit, workers=pool.size)
        self.pool = pool
        self.counters = counters
        self._outcomes: OrderedDict[Key, Outcome] = OrderedDict()
        self._jobs: dict[Key, Job] = {}
        self.in_flight = 0

    async def check(
        self, served: ServedCase, text: str, *, deadline_s: float | None = None, source: str = ""
    ) -> Checked:
        """Return the verdict on an answer, or an infrastructure error at the deadline; may raise Refused."""
        now = asyncio.get_running_loop().time()
        deadline = now + (default_deadline_s(served.case) if deadline_s is None else deadline_s)
        try:
            checked = await self._check(served, text, deadline)
        except Refused as refused:
            self.counters.add_refusal(refused.reason)
            raise
        self.counters.add(checked, source=source)
        return checked

    async def run(self, program: Program, *, deadline_s: float) -> ProgramResult | None:
        """Return how a program ran, or None if its deadline passed or its worker died; may raise Refused."""
        now = asyncio.get_running_loop().time()
        job = self._enqueue(program, now + deadline_s, now)
        try:
            return cast("ProgramResult", await self._result(job, now + deadline_s))
        except (WorkerLost, TimeoutError):
            return None

    async def _check(self, served: ServedCase, text: str, deadline: float) -> Checked:
        loop, key = asyncio.get_running_loop(), (*served.key, text_digest(text))
        arrived = loop.time()
        if (outcome := self._outcomes.get(key)) is not None:
            self._outcomes.move_to_end(key)
            return Checked(
                case=served.case, case_digest=served.digest, outcome=replace(outcome, is_repeat=True)
            )
        job, is_repeat = self._jobs.get(key), True
        if job is None or job.result.done():
            job, is_repeat = (
                self._enqueue(Answer(pickled_case=served.pickled, text=text), deadline, arrived),
                False,
            )
            self._jobs[key] = job
            job.result.add_done_callback(lambda result: self._end(key, result))
        job.deadline = max(job.deadline, deadline)
        reason: Reason | None = None
        try:
            outcome = cast("Outcome", await self._result(job, deadline))
        except TimeoutError:
            outcome, reason = _error("the deadline passed before the check ended"), Reason.DEADLINE
        except WorkerLost:
            outcome, reason = _error("the worker that ran this check died"), Reason.WORKER_LOST
        else:
            if outcome.facts.classification is Classification.ERROR:
                reason = Reason.CHECK_FAILED
        ended = loop.time()
        started = min(job.started_at or ended, ended)
        return Checked(
            case=served.case,
            case_digest=served.digest,
            outcome=replace(outcome, is_repeat=is_repeat),
            reason=reason,
            queue_s=max(started - arrived, 0.0),
            wall_s=ended - max(started, arrived),
        )

    def _enqueue(self, task: Task, deadline: float, now: float) -> Job:
        self.admission.require(queued=self.pool.queued, deadline=deadline, now=now)
        job = Job(
            task=task, deadline=deadline, queued_at=now, result=asyncio.get_running_loop().create_future()
        )
        job.result.add_done_callback(lambda result: self._record(job, result))
        self.pool.put(job)
        return job

    async def _result(self, job: Job, deadline: float) -> Result:
        """Return the result of a job that others may wait for too; raises TimeoutError at the deadline."""
        self.in_flight += 1
        try:
            async with asyncio.timeout_at(deadline):
                return await asyncio.shield(job.result)
        except asyncio.CancelledError:
            if job.result.cancelled():  # it was still queued at its deadline
                raise TimeoutError from None
            raise
        finally:
            self.in_flight -= 1

    def _record(self, job: Job, result: "asyncio.Future[Result]") -> None:
        """Record the duration of a job, and whether the infrastructure failed, which the breaker counts."""
        now = asyncio.get_running_loop().time()
        if result.cancelled() or job.started_at is None:
            return
        self.admission.add_duration(now - job.started_at)
        # A worker killed at the deadline says nothing about the infrastructure.
        lost = result.exception() is not None
        is_error = (lost and now < job.deadline) or (not lost and _is_error(result.result()))
        self.admission.breaker.add(is_error=is_error, now=now)

    def _end(self, key: Key, result: "asyncio.Future[Result]") -> None:
        """Remember the outcome of a job for later equal answers; an infrastructure error is not kept."""
        del self._jobs[key]
        if result.cancelled() or result.exception() is not None or _is_error(result.result()):
            return
        outcome = cast("Outcome", result.result())
        self._outcomes[key] = replace(outcome, detail=outcome.detail[:LONGEST_DETAIL])
        while len(self._outcomes) > REMEMBERED_OUTCOMES:
            self._outcomes.popitem(last=False)


def _error(detail: str) -> Outcome:
    return Outcome(facts=Facts(classification=Classification.ERROR), detail=detail)


def _is_error(result: Result) -> bool:
    if isinstance(result, ProgramResult):
        return bool(result.problem)
    return result.facts.classification is Classification.ERROR
