"""Call judges like any other model: with the run's limiters, retries and budget.

Equal requests are sent once, across resumed sessions too.
"""

import asyncio
from concurrent.futures import CancelledError, Future
from dataclasses import replace

from steelyard.checks.forms.judge.judge import CallModel, Judge, Panel
from steelyard.checks.forms.judge.judged import judged_digest
from steelyard.errors import ProviderError
from steelyard.model.evalset import JudgePlan
from steelyard.model.request import Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.runner.generate.calls import GivenUp
from steelyard.runner.generate.generator import Generator, StopGenerating
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.stop_state import StopState


class JudgeClient:
    """Calls judges on the event loop, on behalf of waiting threads."""

    def __init__(self, plan: JudgePlan, generator: Generator, replies: JudgeReplies, stop: StopState) -> None:
        self.judge = judge_of(plan, self.call_model)
        self._generator = generator
        self._replies = replies
        self._stop = stop
        self._loop = asyncio.get_running_loop()
        self._calls: dict[SampleKey, asyncio.Task[Reply]] = {}
        self._waiting: set[Future[Reply]] = set()
        stop.on_stop.append(lambda: generator.end_waiting(lambda _: stop.is_requested))

    def call_model(self, request: Request) -> Reply:
        """Return a judge's reply; for any thread except the event loop's.

        Raises GivenUp if the user stops the session before the call has begun.
        """
        future = asyncio.run_coroutine_threadsafe(self._reply(request), self._loop)
        self._waiting.add(future)
        try:
            return future.result()
        except CancelledError:
            raise ProviderError("the run was stopped before the judge replied", kind="stopped") from None
        finally:
            self._waiting.discard(future)

    async def close(self) -> None:
        """Cancel all calls and write the received replies."""
        for future in tuple(self._waiting):
            future.cancel()
        for task in self._calls.values():
            task.cancel()
        await self._replies.close()

    async def _reply(self, request: Request) -> Reply:
        """Return a stored reply, or call the judge."""
        key = request.key
        if (known := self._replies.find(key)) is not None:
            return known
        if key not in self._calls:
            self._calls[key] = asyncio.create_task(self._call(request))
            self._calls[key].add_done_callback(lambda _: self._calls.pop(key, None))
        return await asyncio.shield(self._calls[key])

    async def _call(self, request: Request) -> Reply:
        if self._stop.is_requested:
            raise GivenUp
        if (reason := self._stop.judge_reason) is not None:
            raise ProviderError(reason.message, kind="halted")
        try:
            reply, _ = await self._generator.call(request)
        except StopGenerating as stop:
            self._stop.end_judging(request.provider, stop.reason)
            raise ProviderError(str(stop), kind="halted") from stop
        reply = replace(reply, fence=reply.fence or request.fence)
        self._replies.keep(request.key, reply)
        return reply


def judge_of(plan: JudgePlan, call_model: CallModel) -> Judge:
    """Return the judge of a plan."""
    return Judge(plan.rubric, Panel(judges=plan.models, parameters=plan.parameters), call_model)


def digest_with_judges(check_digest: str | None, plan: JudgePlan | None) -> str | None:
    """Return the digest of a check, including its judges if there are any."""
    if plan is None or check_digest is None:
        return check_digest
    return judged_digest(check_digest, judge_of(plan, _no_call))


def _no_call(_: Request) -> Reply:
    raise NotImplementedError
