"""Draw one answer: wait for a turn, reserve the money, ask, and ask again when that may help.

What comes of it is a sample, or the news that nothing more is to be drawn.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request
from steelyard.model.sample import Sample
from steelyard.providers.limiter import Limiter
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.budget import Budget, Reservation
from steelyard.runner.draw.provider_pool import ProviderPool
from steelyard.runner.draw.retries import Retries

# Faults that tell us to ask less often, rather than that something is broken.
THROTTLED = frozenset({"rate_limited", "overloaded"})
SETTLING_S = 0.05  # between two looks whether calls in flight have left enough of the budget
MOST_IN_A_ROW = 20  # calls of one provider that fail for good, with none that succeeds: it is down
TOO_DEAR = "the next answer might cost more than is left"


class Why(StrEnum):
    """Why nothing more is drawn."""

    BUDGET = "budget"
    PROVIDER = "provider"


class Halt(Exception):
    """Nothing more is to be drawn: from one provider, or at all. What was asked for stays undrawn."""

    def __init__(self, message: str, *, why: Why) -> None:
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms a run draws: what it may cost, and how often a call is repeated."""

    budget: Budget
    prices: PriceList
    retries: Retries

    def at_most(self, request: Request) -> int:
        """Return what to set aside for a call, in nano-USD; without a cap, nothing."""
        if self.budget.cap is None:
            return 0
        # Something at least, so that nothing is asked when nothing is left.
        return self.prices.ceiling_nano_usd(request, datetime.now(UTC)) or 1


class Drawer:
    """Draws samples from the providers of a pool; one event loop only."""

    def __init__(
        self,
        pool: ProviderPool,
        terms: Terms,
        *,
        limiters: Mapping[str, Limiter],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        failed_in_a_row: dict[str, int] | None = None,
    ) -> None:
        """Take who is asked on which terms; whoever draws piece by piece keeps the count of failures."""
        self._pool = pool
        self._terms = terms
        self._limiters = limiters
        self._sleep = sleep
        self._failed_in_a_row = {} if failed_in_a_row is None else failed_in_a_row

    async def drawn(self, request: Request) -> Sample:
        """Return an answer, or a sample that tells our own error; raises Halt when there is no point."""
        try:
            reply, moment = await self.replied(request)
        except ProviderError as error:
            return _sample(request, Reply(text=""), datetime.now(UTC), error=f"{error.kind}: {error}")
        return _sample(request, reply, moment)

    async def replied(self, request: Request) -> tuple[Reply, datetime]:
        """Return a reply with what it cost, and when it was asked for; raises ProviderError, or Halt."""
        tries = 0
        while True:
            try:
                replied = await self._asked(request)
            except ProviderError as error:
                delay_s = self._terms.retries.delay_s(tries, error)
                tries += 1
                if delay_s is None:
                    raise self._given_up(request, error, tries) from error
                await self._sleep(delay_s)
            else:
                self._failed_in_a_row[request.provider] = 0
                return replied

    async def _asked(self, request: Request) -> tuple[Reply, datetime]:
        """Make one call in its turn, and settle what it cost."""
        limiter = self._limiters[request.provider]
        async with limiter.slot():
            reservation = await self._reserved(request)
            moment = datetime.now(UTC)
            try:
                reply = await self._pool.of(request.provider).draw(request)
            except ProviderError as error:
                reservation.settle(None if error.may_be_billed else 0)
                if error.kind in THROTTLED:
                    limiter.throttled(error.retry_after_s)
                if error.is_fatal:
                    raise Halt(str(error), why=Why.PROVIDER) from error
                raise
            except BaseException:
                reservation.settle(None)  # stopped in the middle: nobody knows whether it will be billed
                raise
            cost = self._cost(request, reply, moment)
            reservation.settle(cost)
            limiter.succeeded()
        return reply if reply.cost_nano_usd == cost else replace(reply, cost_nano_usd=cost), moment

    async def _reserved(self, request: Request) -> Reservation:
        """Set aside what the answer may cost at most; without a cap there is nothing to set aside."""
        budget, at_most = self._terms.budget, self._terms.at_most(request)
        while (reservation := budget.reserve(at_most)) is None:
            # Calls in flight mostly cost less than was set aside for them.
            if budget.reserved == 0:
                raise Halt(TOO_DEAR, why=Why.BUDGET)
            await self._sleep(SETTLING_S)
        return reservation

    def _cost(self, request: Request, reply: Reply, moment: datetime) -> int | None:
        if reply.cost_nano_usd is not None:
            return reply.cost_nano_usd
        return self._terms.prices.cost_nano_usd(request.key.model, reply.usage, moment)

    def _given_up(self, request: Request, error: ProviderError, tries: int) -> ProviderError:
        """Return the error to end with; a provider that only ever fails is asked no more."""
        in_a_row = self._failed_in_a_row.get(request.provider, 0) + 1
        self._failed_in_a_row[request.provider] = in_a_row
        if in_a_row >= MOST_IN_A_ROW:
            raise Halt(f"the last {in_a_row} answers all failed; the last said: {error}", why=Why.PROVIDER)
        said = str(error) if tries == 1 else f"{error} (asked {tries} times)"
        return ProviderError(said, kind=error.kind, may_be_billed=error.may_be_billed)


def _sample(request: Request, reply: Reply, moment: datetime, *, error: str | None = None) -> Sample:
    key, usage = request.key, reply.usage
    return Sample(
        model=key.model,
        tier=key.tier,
        suite=key.suite,
        case=key.case,
        digest=key.digest,
        attempt=key.attempt,
        text=reply.text,
        prompt_digest=request.prompt_digest,
        parameters_digest=request.parameters.digest,
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
    )
