"""Price what passes a gateway, and stop at a cap."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime

from steelyard.model.request import Parameters, Request
from steelyard.model.sample import SampleKey
from steelyard.model.units import NANO_USD
from steelyard.providers.gateway.exchange import Exchange
from steelyard.providers.gateway.source import AgentRequest
from steelyard.providers.llm.dialect import Body
from steelyard.providers.llm.wire import SUCCESS
from steelyard.providers.prices.price_list import PriceList


class CapReached(Exception):
    """A call may not start: the money is spent, or its price is unknown."""


@dataclass(slots=True, eq=False)
class Reservation:
    """The highest cost of a call in flight, in nano-USD."""

    highest: int


class Meter:
    """Prices and cap of one or more gateways in one event loop.

    Calls that together might exceed the cap run one after the other: it is exceeded by less than one call.
    """

    def __init__(self, prices: PriceList, *, provider: str, cap_nano_usd: int | None = None) -> None:
        """`provider` is the name that the prices are listed under."""
        self._prices, self._provider, self._cap = prices, provider, cap_nano_usd
        self._charged = 0
        self._in_flight: list[Reservation] = []
        self._changed = asyncio.Condition()

    async def admit(self, request: AgentRequest) -> Reservation:
        """Wait until a call fits; raises CapReached."""
        if self._cap is None or request.protocol is None:
            return Reservation(0)
        reservation = Reservation(self._highest_cost(request, request.protocol.limits))
        async with self._changed:
            while not self._fits(reservation, self._cap):
                await self._changed.wait()
            self._in_flight.append(reservation)
        return reservation

    async def settle(self, reservation: Reservation, cost: int | None) -> None:
        """Charge a call; one of unknown cost is charged its highest."""
        if reservation not in self._in_flight:
            return
        async with self._changed:
            self._in_flight.remove(reservation)
            self._charged += reservation.highest if cost is None else cost
            self._changed.notify_all()

    def cost(self, exchange: Exchange) -> int | None:
        """Return the cost of a call in nano-USD; None if price or tokens are unknown."""
        if not exchange.protocol or not exchange.is_sent:
            return 0
        if exchange.status is not None and exchange.status not in SUCCESS:
            return 0  # services bill no errors
        if exchange.usage.tokens_in is None or exchange.usage.tokens_out is None:
            return None
        return self._prices.cost_nano_usd(self._model(exchange.request), exchange.usage, datetime.now(UTC))

    def _fits(self, reservation: Reservation, cap: int) -> bool:
        if self._charged >= cap:
            spent, limit = (f"${amount / NANO_USD:.4f}" for amount in (self._charged, cap))
            raise CapReached(f"the budget of this trial is spent: {spent} of {limit}")
        reserved = sum(other.highest for other in self._in_flight)
        return not self._in_flight or self._charged + reserved + reservation.highest <= cap

    def _highest_cost(self, request: AgentRequest, names: tuple[str, ...]) -> int:
        model = self._model(request.body)
        limits = [request.body[name] for name in names if isinstance(request.body.get(name), int)]
        longest = Request(
            key=SampleKey(model, "", "", "", "", 0),
            prompt=request.content.decode("utf-8", "replace"),
            parameters=Parameters(max_tokens=limits[0] if limits else None),
        )
        highest = self._prices.ceiling_nano_usd(longest, datetime.now(UTC))
        if highest is None:
            raise CapReached(f"the price of {model} is unknown, so a cap cannot be kept")
        return highest

    def _model(self, body: Body) -> str:
        return f"{self._provider}/{body.get('model')}"
