"""Generate one answer: wait for a slot, reserve budget, call the provider, retry."""

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
from steelyard.runner.generate.budget import Budget, Reservation
from steelyard.runner.generate.calls import Calls, Waiting
from steelyard.runner.generate.clean import clean_reply, clean_text
from steelyard.runner.generate.retries import LONGEST_S, Retries
from steelyard.runner.telemetry import call_span

# Faults that request fewer calls.
RATE_LIMITED = "rate_limited"
THROTTLED = frozenset({RATE_LIMITED, "overloaded"})
UNKNOWN_MODEL = "unknown_model"  # the provider does not know the model
SETTLING_S = 0.05  # poll interval while calls in flight block the budget
MOST_IN_A_ROW = 20  # consecutive failures after all retries: the provider is down
OVER_BUDGET = "the next answer might exceed the remaining budget"


class Providers(Protocol):
    """The providers of a run, by name."""

    def of(self, name: str) -> Provider:
        """Return a provider."""


class StopGenerating(Exception):
    """Further calls to a provider, or to all, cannot succeed. The request stays pending."""

    def __init__(self, message: str, *, cause: StopCause, model: str = "", near: str = "") -> None:
        super().__init__(message)
        self.cause = cause
        self.reason = StopReason(cause=cause, message=message, model=model, near=near)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPolicy:
    """Prices, budget and retries of calls."""

    budget: Budget
    prices: PriceList
    retries: Retries

    def max_cost(self, request: Request) -> int:
        """Return the amount to reserve for a call in nano-USD; 0 without a cap."""
        if self.budget.cap is None:
            return 0
        # At least 1: no call may start with an exhausted budget.
        return self.prices.ceiling_nano_usd(request, datetime.now(UTC)) or 1


class Generator:
    """Generates samples with the providers of a pool, in one event loop."""

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

    def concurrency(self, provider: str) -> int:
        """Return the current concurrency limit of a provider."""
        return self._limiters[provider].concurrency

    def end_waiting(self, is_over: Callable[[str], bool]) -> None:
        """Cancel waiting calls to the providers that `is_over`."""
        self._waiting.end(is_over)

    async def generate_one(self, request: Request) -> Sample:
        """Return the sample, or one marked as an infrastructure error; raises StopGenerating or GivenUp."""
        try:
            reply, moment = await self.call(request)
        except ProviderError as error:
            text = clean_text(f"{error.kind}: {error}")
            reply, moment = Reply(text="", egress=error.egress), datetime.now(UTC)
            return sample_of(request.key, _digests(request), reply, moment, error=text)
        return sample_of(request.key, _digests(request), reply, moment)

    async def call(self, request: Request) -> tuple[Reply, datetime]:
        """Return a reply with its cost, and the time of the call.

        Raises ProviderError, StopGenerating or GivenUp.
        """
        with self._calls.generating(request):
            return await self._call(request)

    async def _call(self, request: Request) -> tuple[Reply, datetime]:
        tries, egress = 0, None
        while True:
            try:
                reply, moment = await self._call_once(request)
            except StopGenerating as stop:
                if isinstance(stop.__cause__, ProviderError):
                    self._calls.failed(request, tries + 1, stop.__cause__, will_retry=False)
                raise
            except ProviderError as error:
                delay_s = self._policy.retries.delay_s(tries, error)
                tries += 1
                egress = _join_errors(egress, error.egress)
                self._calls.failed(request, tries, error, will_retry=delay_s is not None)
                if delay_s is None:
                    raise self._given_up(request, error, tries, egress) from error
                async with self._waiting.of(request.provider):
                    await self._sleep(delay_s)
            else:
                self._failed_in_a_row[request.provider] = 0
                self._calls.answered(request, tries + 1, reply)
                if egress is not None:
                    reply = replace(reply, egress=_join_errors(egress, reply.egress))
                return reply, moment

    async def _call_once(self, request: Request) -> tuple[Reply, datetime]:
        """Make one call in a slot and settle its cost."""
        async with AsyncExitStack() as held:
            async with self._waiting.of(request.provider):
                slot = await held.enter_async_context(self._limiters[request.provider].slot())
                reservation = await self._reserve(request)
            moment = datetime.now(UTC)
            try:
                with call_span(request) as replied:
                    reply = await self._generate(request)
                    replied(reply)
            except ProviderError as error:
                reservation.settle(None if error.may_be_billed else 0)
                if error.kind in THROTTLED:
                    slot.throttled(error.retry_after_s, is_limit=error.kind == RATE_LIMITED)
                if error.is_fatal:
                    raise self._stop(request, error) from error
                raise
            except BaseException:
                reservation.settle(None)  # interrupted: it may be billed
                raise
            cost = self._cost(request, reply, moment)
            reservation.settle(cost)
            slot.succeeded(reply.quotas, _tokens(reply))
        return reply if reply.cost_nano_usd == cost else replace(reply, cost_nano_usd=cost), moment

    async def _generate(self, request: Request) -> Reply:
        """Call the provider; unexpected exceptions become ProviderErrors of this call."""
        provider = self._pool.of(request.provider)  # a wrong setting ends the run
        try:
            return clean_reply(await provider.generate(request))
        except SteelyardError:
            raise
        except Exception as error:
            raise ProviderError(
                f"unexpected error in the provider: {type(error).__name__}",
                kind="unexpected",
                may_be_billed=True,
            ) from error

    async def _reserve(self, request: Request) -> Reservation:
        """Reserve the highest cost of an answer; wait for calls in flight if needed."""
        budget, max_cost = self._policy.budget, self._policy.max_cost(request)
        while (reservation := budget.reserve(max_cost)) is None:
            # Calls in flight usually cost less than their reservations.
            if budget.reserved == 0:
                remaining = max(0, budget.left or 0)
                raise StopGenerating(
                    f"{OVER_BUDGET}: up to {dollars(max_cost)}, {dollars(remaining)} remaining",
                    cause=StopCause.BUDGET,
                )
            await self._sleep(SETTLING_S)
        return reservation

    def _cost(self, request: Request, reply: Reply, moment: datetime) -> int | None:
        if reply.cost_nano_usd is not None:
            return reply.cost_nano_usd
        return self._policy.prices.cost_nano_usd(request.key.model, reply.usage, moment)

    def _stop(self, request: Request, error: ProviderError) -> StopGenerating:
        """Return the reason to stop calling a provider, with the model if it is unknown."""
        if error.kind != UNKNOWN_MODEL:
            return StopGenerating(str(error), cause=StopCause.PROVIDER)
        model = request.key.model
        near = self._policy.prices.near_name(model)
        return StopGenerating(str(error), cause=StopCause.MODEL, model=model, near=near)

    def _given_up(
        self, request: Request, error: ProviderError, tries: int, egress: str | None
    ) -> ProviderError:
        """Return the last error; raise StopGenerating if further calls cannot succeed."""
        if error.kind == RATE_LIMITED and (error.retry_after_s or 0.0) > LONGEST_S:
            raise StopGenerating(
                f"it requests a pause of {_minutes(error.retry_after_s)}: {error}",
                cause=StopCause.PROVIDER,
            )
        # A missing record does not predict the next answer.
        in_a_row = self._failed_in_a_row.get(request.provider, 0) + (error.kind != NOT_RECORDED)
        self._failed_in_a_row[request.provider] = in_a_row
        if in_a_row >= MOST_IN_A_ROW:
            raise StopGenerating(
                f"the last {in_a_row} answers all failed; last error: {error}", cause=StopCause.PROVIDER
            )
        text = str(error) if tries == 1 else f"{error} ({tries} attempts)"
        return ProviderError(text, kind=error.kind, may_be_billed=error.may_be_billed, egress=egress)


def _minutes(seconds: float | None) -> str:
    return f"{ceil((seconds or 0.0) / 60):,} minutes"


def _tokens(reply: Reply) -> int | None:
    """Return the total tokens of a call, if known."""
    usage = reply.usage
    return None if usage.tokens_in is None else usage.tokens_in + (usage.tokens_out or 0)


def _join_errors(earlier: str | None, later: str | None) -> str | None:
    """Join the network logs of several tries into one JSON list."""
    if earlier is None or later is None:
        return earlier or later
    return json.dumps([*json.loads(earlier), *json.loads(later)], separators=(",", ":"))


def _digests(request: Request) -> tuple[str, str]:
    return request.prompt_digest, request.parameters.digest


def sample_of(
    key: SampleKey, digests: tuple[str, str], reply: Reply, moment: datetime, *, error: str | None = None
) -> Sample:
    """Return the sample of a reply; `digests` are of the prompt and the parameters."""
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
        generated_at_us=int(moment.timestamp() * 1e6),
        error=error,
        egress=reply.egress,
    )


def dollars(nano_usd: int) -> str:
    """Format an amount in USD with two significant digits.

    >>> dollars(10_000), dollars(20_000_000), dollars(0)
    ('$0.00001', '$0.02', '$0')
    """
    return f"${Decimal(f'{nano_usd / NANO_USD:.2g}'):f}"
