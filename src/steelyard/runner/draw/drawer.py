"""Draw one answer: wait for a slot, reserve the money, call the provider, and retry where that may help."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from math import ceil
from typing import Protocol

from steelyard.errors import NOT_RECORDED, ProviderError, SteelyardError
from steelyard.model.progress import StopCause, StopReason
from steelyard.model.request import Reply, Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.model.units import NANO_USD
from steelyard.ports import Provider
from steelyard.providers.limiter import Limiter
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.budget import Budget, Reservation
from steelyard.runner.draw.calls import Calls
from steelyard.runner.draw.clean import clean_reply, clean_text
from steelyard.runner.draw.retries import LONGEST_S, Retries
from steelyard.runner.draw.waiting import Waiting
from steelyard.runner.telemetry import call_span

# Faults by which a provider asks for fewer calls; nothing is broken.
RATE_LIMITED = "rate_limited"
THROTTLED = frozenset({RATE_LIMITED, "overloaded"})
UNKNOWN_MODEL = "unknown_model"  # the fault of a name that the provider does not know
SETTLING_S = 0.05  # how often to check whether calls in flight have left enough of the budget
MOST_IN_A_ROW = 20  # calls of one provider that fail after all retries, with no success between: it is down
OVER_BUDGET = "the next answer might cost more than is left"


class Providers(Protocol):
    """The providers of a run, by name."""

    def of(self, name: str) -> Provider:
        """Return a provider."""


class StopDrawing(Exception):
    """Further calls cannot succeed: of one provider, or of any. The request stays undrawn."""

    def __init__(self, message: str, *, cause: StopCause, model: str = "", near: str = "") -> None:
        super().__init__(message)
        self.cause = cause
        self.reason = StopReason(cause=cause, message=message, model=model, near=near)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPolicy:
    """What calls may cost, and how often one is repeated."""

    budget: Budget
    prices: PriceList
    retries: Retries

    def max_cost(self, request: Request) -> int:
        """Return what to reserve for a call, in nano-USD; without a cap, nothing."""
        if self.budget.cap is None:
            return 0
        # At least 1, so no call begins when nothing is left.
        return self.prices.ceiling_nano_usd(request, datetime.now(UTC)) or 1


class Drawer:
    """Draws samples from the providers of a pool, in this process; one event loop only."""

    def __init__(
        self,
        pool: Providers,
        policy: CallPolicy,
        *,
        limiters: Mapping[str, Limiter],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        calls: Calls | None = None,
    ) -> None:
        """Set the providers and the call policy."""
        self._pool = pool
        self._policy = policy
        self._limiters = limiters
        self._sleep = sleep
        self._calls = Calls() if calls is None else calls
        self._failed_in_a_row: dict[str, int] = {}
        self._waiting = Waiting()

    def width(self, provider: str) -> int:
        """Return how many calls the limiter of a provider allows at a time."""
        return self._limiters[provider].width

    def end_waiting(self, is_over: Callable[[str], bool]) -> None:
        """Give up the calls that have not begun, to providers from which nothing more is drawn."""
        self._waiting.end(is_over)

    async def draw_one(self, request: Request) -> Sample:
        """Return the sample, or one marked as an infrastructure error; raises StopDrawing or GivenUp."""
        try:
            reply, moment = await self.call(request)
        except ProviderError as error:
            said = clean_text(f"{error.kind}: {error}")
            reply, moment = Reply(text="", egress=error.egress), datetime.now(UTC)
            return sample_of(request.key, _digests(request), reply, moment, error=said)
        return sample_of(request.key, _digests(request), reply, moment)

    async def call(self, request: Request) -> tuple[Reply, datetime]:
        """Return a reply with its cost, and the time of the call.

        Raises ProviderError, StopDrawing or GivenUp.
        """
        with self._calls.drawing(request):
            return await self._call(request)

    async def _call(self, request: Request) -> tuple[Reply, datetime]:
        tries, egress = 0, None
        while True:
            try:
                reply, moment = await self._call_once(request)
            except StopDrawing as stop:
                if isinstance(stop.__cause__, ProviderError):
                    self._calls.failed(request, tries + 1, stop.__cause__, will_retry=False)
                raise
            except ProviderError as error:
                delay_s = self._policy.retries.delay_s(tries, error)
                tries += 1
                egress = _joined(egress, error.egress)
                self._calls.failed(request, tries, error, will_retry=delay_s is not None)
                if delay_s is None:
                    raise self._given_up(request, error, tries, egress) from error
                async with self._waiting.of(request.provider):
                    await self._sleep(delay_s)
            else:
                self._failed_in_a_row[request.provider] = 0
                self._calls.answered(request, tries + 1, reply)
                if egress is not None:
                    reply = replace(reply, egress=_joined(egress, reply.egress))
                return reply, moment

    async def _call_once(self, request: Request) -> tuple[Reply, datetime]:
        """Make one call when there is a slot, and settle what it cost."""
        async with AsyncExitStack() as held:
            async with self._waiting.of(request.provider):
                slot = await held.enter_async_context(self._limiters[request.provider].slot())
                reservation = await self._reserve(request)
            moment = datetime.now(UTC)
            try:
                with call_span(request) as replied:
                    reply = await self._draw(request)
                    replied(reply)
            except ProviderError as error:
                reservation.settle(None if error.may_be_billed else 0)
                if error.kind in THROTTLED:
                    slot.throttled(error.retry_after_s, is_limit=error.kind == RATE_LIMITED)
                if error.is_fatal:
                    raise self._stop(request, error) from error
                raise
            except BaseException:
                reservation.settle(None)  # stopped in the middle: it may be billed
                raise
            cost = self._cost(request, reply, moment)
            reservation.settle(cost)
            slot.succeeded(reply.quotas, _tokens(reply))
        return reply if reply.cost_nano_usd == cost else replace(reply, cost_nano_usd=cost), moment

    async def _draw(self, request: Request) -> Reply:
        """Call the provider; whatever else it raises is an error of this call, and never ends a run."""
        provider = self._pool.of(request.provider)  # a wrong setting is no error of a call
        try:
            return clean_reply(await provider.draw(request))
        except SteelyardError:
            raise
        except Exception as error:
            raise ProviderError(
                f"the provider failed in a way that it does not know: {type(error).__name__}",
                kind="unexpected",
                may_be_billed=True,
            ) from error

    async def _reserve(self, request: Request) -> Reservation:
        """Reserve what the answer may cost at most."""
        budget, max_cost = self._policy.budget, self._policy.max_cost(request)
        while (reservation := budget.reserve(max_cost)) is None:
            # Calls in flight mostly cost less than was reserved for them.
            if budget.reserved == 0:
                left = max(0, budget.left or 0)
                raise StopDrawing(
                    f"{OVER_BUDGET}: up to {dollars(max_cost)}, and {dollars(left)} is left",
                    cause=StopCause.BUDGET,
                )
            await self._sleep(SETTLING_S)
        return reservation

    def _cost(self, request: Request, reply: Reply, moment: datetime) -> int | None:
        if reply.cost_nano_usd is not None:
            return reply.cost_nano_usd
        return self._policy.prices.cost_nano_usd(request.key.model, reply.usage, moment)

    def _stop(self, request: Request, error: ProviderError) -> StopDrawing:
        """Return why calls to a provider cannot succeed; a name that it does not know is named."""
        if error.kind != UNKNOWN_MODEL:
            return StopDrawing(str(error), cause=StopCause.PROVIDER)
        model = request.key.model
        near = self._policy.prices.near_name(model)
        return StopDrawing(str(error), cause=StopCause.MODEL, model=model, near=near)

    def _given_up(
        self, request: Request, error: ProviderError, tries: int, egress: str | None
    ) -> ProviderError:
        """Return the last error; raise StopDrawing if the provider only fails, or wants to be left alone."""
        if error.kind == RATE_LIMITED and (error.retry_after_s or 0.0) > LONGEST_S:
            raise StopDrawing(
                f"it wants to be asked again in {_minutes(error.retry_after_s)}; it said: {error}",
                cause=StopCause.PROVIDER,
            )
        # What a record lacks says nothing about the next answer.
        in_a_row = self._failed_in_a_row.get(request.provider, 0) + (error.kind != NOT_RECORDED)
        self._failed_in_a_row[request.provider] = in_a_row
        if in_a_row >= MOST_IN_A_ROW:
            raise StopDrawing(
                f"the last {in_a_row} answers all failed; the last said: {error}", cause=StopCause.PROVIDER
            )
        said = str(error) if tries == 1 else f"{error} (asked {tries} times)"
        return ProviderError(said, kind=error.kind, may_be_billed=error.may_be_billed, egress=egress)


def _minutes(seconds: float | None) -> str:
    return f"{ceil((seconds or 0.0) / 60):,} minutes"


def _tokens(reply: Reply) -> int | None:
    """Return all tokens of a call, if they are known."""
    usage = reply.usage
    return None if usage.tokens_in is None else usage.tokens_in + (usage.tokens_out or 0)


def _joined(earlier: str | None, later: str | None) -> str | None:
    """Return what an agent asked of the network in several tries, as one JSON list."""
    if earlier is None or later is None:
        return earlier or later
    return json.dumps([*json.loads(earlier), *json.loads(later)], separators=(",", ":"))


def _digests(request: Request) -> tuple[str, str]:
    return request.prompt_digest, request.parameters.digest


def sample_of(
    key: SampleKey, digests: tuple[str, str], reply: Reply, moment: datetime, *, error: str | None = None
) -> Sample:
    """Return the sample that a reply makes; `digests` are those of the prompt and of the parameters."""
    usage, (prompt_digest, parameters_digest) = reply.usage, digests
    return Sample(
        model=key.model,
        tier=key.tier,
        suite=key.suite,
        case=key.case,
        digest=key.digest,
        attempt=key.attempt,
        text=reply.text,
        prompt_digest=prompt_digest,
        parameters_digest=parameters_digest,
        finish_reason=reply.finish_reason,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        tokens_cached=usage.tokens_cached,
        tokens_reasoning=usage.tokens_reasoning,
        cost_nano_usd=reply.cost_nano_usd,
        latency_us=reply.latency_us,
        first_byte_us=reply.first_byte_us,
        request_id=reply.request_id,
        drawn_at_us=int(moment.timestamp() * 1e6),
        error=error,
        egress=reply.egress,
    )


def dollars(nano_usd: int) -> str:
    """Write money with two digits and no exponent.

    >>> dollars(10_000), dollars(20_000_000), dollars(0)
    ('$0.00001', '$0.02', '$0')
    """
    return f"${Decimal(f'{nano_usd / NANO_USD:.2g}'):f}"
