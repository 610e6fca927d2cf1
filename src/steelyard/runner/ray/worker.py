"""What a worker of a cluster does: draw a piece or check a piece, with parts that it makes once and keeps.

Plain records come in and go out, and nothing is written. Ray itself is not known here.
"""

import asyncio
import pickle
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.model.facts import Outcome
from steelyard.model.request import Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.providers.limiter import Limiter
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import Drawer, Halt, Terms, Why
from steelyard.runner.draw.provider_pool import ProviderPool
from steelyard.runner.resources import RunSettings
from steelyard.runner.worker_pool import Piece, Pump
from steelyard.runner.workers import Task

ENOUGH_S = 5.0  # no call begins later than this in a piece, so that little is lost should the driver die


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What every worker of a run is told."""

    settings: RunSettings
    calls: Mapping[str, int]  # of each provider, by one worker at a time


class Refused(NamedTuple):
    """A request that was not drawn, and why; an exception would not survive the journey."""

    message: str
    why: Why


class Drawn(NamedTuple):
    """What came of a piece. A request of which nothing is told was not begun."""

    found: dict[SampleKey, Sample | Refused]
    spent: int


class Checked(NamedTuple):
    """The outcomes of a piece, in order, and how long they took."""

    outcomes: list[Outcome]
    seconds: float


class Parts:
    """What one worker process works with; for one event loop, which is kept for the sake of connections."""

    def __init__(self, orders: Orders) -> None:
        settings = self.settings = orders.settings
        sandbox = make_sandbox(settings.sandbox, allow_unsafe=settings.allow_unsafe)
        self.checking = Checking(sandbox, share=settings.share)
        self.pool = ProviderPool(settings.providers, sandbox, instead=settings.instead)
        self.limiters = {name: Limiter(most=calls) for name, calls in orders.calls.items()}
        self.retries = settings.retries.elsewhere()
        self.failed_in_a_row: dict[str, int] = {}
        self.runner = asyncio.Runner()

    def close(self) -> None:
        """Let go of connections."""
        self.runner.run(self.pool.close())
        self.runner.close()


_kept: dict[bytes, Parts] = {}  # of this process: those of one run


def draw_piece(orders: bytes, requests: Sequence[Request], cap: int | None) -> Drawn:
    """Draw answers of one provider, all at once as far as it bears, for no more than a cap."""
    parts, budget = _parts(orders), Budget(cap)
    return Drawn(parts.runner.run(_drawn(parts, requests, budget)), budget.spent)


def check_piece(orders: bytes, tasks: Sequence[Task]) -> Checked:
    """Check answers, one after the other; a tool that is missing here is an error that says where."""
    parts = _parts(orders)
    try:
        parts.checking.prepare({case.language for case, _ in tasks})
    except SteelyardError as error:
        raise _placed(error) from error
    began = time.monotonic()
    outcomes = [parts.checking.outcome(case, sample) for case, sample in tasks]
    return Checked(outcomes, time.monotonic() - began)


async def _drawn(
    parts: Parts, requests: Sequence[Request], budget: Budget
) -> dict[SampleKey, Sample | Refused]:
    terms = Terms(budget=budget, prices=parts.settings.prices, retries=parts.retries)
    drawer = Drawer(parts.pool, terms, limiters=parts.limiters, failed_in_a_row=parts.failed_in_a_row)
    asked = {request.key: request for request in requests}
    heaps = [list(asked), []]
    found: dict[SampleKey, Sample | Refused] = {}
    refused: list[Refused] = []
    until = time.monotonic() + ENOUGH_S

    async def refill() -> list[SampleKey]:
        return heaps.pop(0)

    async def draw(piece: Piece) -> None:
        (key,) = piece
        try:
            found[key] = await drawer.drawn(asked[key])
        except Halt as halt:
            refused.append(Refused(str(halt), halt.why))
            found[key] = refused[-1]

    limiter = parts.limiters[requests[0].provider]
    await Pump(
        refill=refill,
        draw=draw,
        width=lambda: limiter.width,
        size=1,
        is_over=lambda: bool(refused) or time.monotonic() > until,
    ).run()
    if refused and refused[0].why is not Why.BUDGET:  # with more money, those not begun may yet be drawn
        found.update((key, refused[0]) for key in asked if key not in found)
    return found


def _parts(orders: bytes) -> Parts:
    """Return the parts that fit the orders; those of an earlier run are let go."""
    if orders not in _kept:
        for known in list(_kept):
            _kept.pop(known).close()
        try:
            _kept[orders] = Parts(pickle.loads(orders))  # noqa: S301  # written by our own driver
        except SteelyardError as error:
            raise _placed(error) from error
    return _kept[orders]


def _placed(error: SteelyardError) -> InfrastructureError:
    """Say on which machine of the cluster something is missing; the driver's has it, or we were not here."""
    return InfrastructureError(f"on {platform.node()}, a machine of the cluster: {error}")
