"""Draw and check on Ray: in pieces, by workers that write nothing; the money stays with the driver.

A worker or a machine that dies costs its piece another try, never a result.
"""

import asyncio
import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import ray

from steelyard.errors import InfrastructureError, SteelyardError, UserError
from steelyard.model.facts import Outcome
from steelyard.model.request import Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.providers.limiter import Limiter
from steelyard.runner.batch_size import Pace
from steelyard.runner.draw.budget import Budget, Reservation
from steelyard.runner.draw.drawer import SETTLING_S, TOO_DEAR, Halt, Terms, Why
from steelyard.runner.ray.engine import connect, cores
from steelyard.runner.ray.worker import Checked, Drawn, Orders, Refused, check_piece, draw_piece
from steelyard.runner.resources import RunSettings, Workshop
from steelyard.runner.workers import Task

DRAW_SIZE = 50  # requests of a piece: a task costs a millisecond, however much is in it
DRAWS_PER_CORE = 2  # pieces that are drawn at a time: they mostly wait, but each takes a process
CHECKS_PER_CORE = 2  # one that runs, and one that waits behind it
CHECK_S = 0.25  # how long the checks of a piece should take together
MOST_CHECKS = 500

# A check holds a core, but for the part that lets drawing find room beside it on every machine.
CHECK_CPUS = 0.9
DRAW_CPUS = (1 - CHECK_CPUS) / DRAWS_PER_CORE

TRIES = 4  # of a piece whose worker dies
OVERDRAWN = "calls failed again and again after they may have been billed; what was set aside is used up"


class RayCrew:
    """The crew of a cluster.

    What a piece may cost at most is reserved before it is handed out, and its worker spends no more than
    that. What a lost worker spent nobody knows, so all that was set aside for its piece counts as spent.
    """

    draw_size = DRAW_SIZE

    def __init__(self, settings: RunSettings, budget: Budget, *, most: Mapping[str, int]) -> None:
        """Connect to a cluster, or start one; `most` says how many calls each provider takes at a time."""
        self._terms = Terms(budget=budget, prices=settings.prices, retries=settings.retries)
        self._budget = budget
        self._is_ours = connect()
        self.check_width = cores() * CHECKS_PER_CORE
        self._draw_widths = {name: min(calls, cores() * DRAWS_PER_CORE) for name, calls in most.items()}
        calls = {name: most[name] // width for name, width in self._draw_widths.items()}
        self._orders = _packed(Orders(settings=settings, calls=calls))
        self._pace = Pace(piece_s=CHECK_S, most=MOST_CHECKS)
        # Not repeated by Ray: if a worker dies that draws, the driver must know that it may have paid.
        self._draw: Any = ray.remote(num_cpus=DRAW_CPUS, max_retries=0)(draw_piece)
        self._check: Any = ray.remote(num_cpus=CHECK_CPUS, max_retries=TRIES - 1)(check_piece)
        self._flying: set[Any] = set()

    @property
    def check_size(self) -> int:
        """As many as are checked in the time of a piece."""
        return self._pace.size

    def draw_width(self, provider: str) -> int:
        """Return how many pieces are drawn from a provider at a time."""
        return self._draw_widths[provider]

    async def draw(self, requests: Sequence[Request]) -> list[Sample | Halt]:
        """Draw in a worker, as many at a time as the budget has room for, until nothing is left."""
        piece = _Piece(requests)
        while left := piece.left():
            reservation, share = await self._reserved(left)
            if reservation is None:
                piece.halt(Halt(TOO_DEAR, why=Why.BUDGET))
            else:
                await self._hand_out(piece, share, reservation)
        return piece.results()

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Check in a worker."""
        checked: Checked = await self._landed(self._check.remote(self._orders, list(tasks)))
        self._pace.took(checked.seconds, items=len(tasks))
        return checked.outcomes

    async def close(self) -> None:
        """Call back what is under way; stop Ray if it was started here."""
        for reference in self._flying:
            ray.cancel(reference, force=True)
        if self._is_ours:
            ray.shutdown()
            self._is_ours = False

    async def _reserved(self, left: Sequence[Request]) -> tuple[Reservation | None, Sequence[Request]]:
        """Set aside what as many requests as possible may cost; none: not even the first has room."""
        ceilings = list(accumulate(map(self._terms.at_most, left)))
        while True:
            for count in range(len(left), 0, -1):
                if reservation := self._budget.reserve(ceilings[count - 1]):
                    return reservation, left[:count]
            if self._budget.reserved == 0:
                return None, ()
            await asyncio.sleep(SETTLING_S)  # pieces under way mostly cost less than was set aside for them

    async def _hand_out(self, piece: "_Piece", share: Sequence[Request], reservation: Reservation) -> None:
        """Have a share drawn, and settle what it cost."""
        cap = None if self._budget.cap is None else reservation.amount
        spent = None  # as long as nobody knows
        try:
            drawn: Drawn = await self._landed(self._draw.remote(self._orders, list(share), cap))
            spent = drawn.spent
            piece.take(drawn)
        except WorkerLost as lost:
            piece.lose(lost)
        finally:
            reservation.settle(spent)

    async def _landed(self, reference: Any) -> Any:  # noqa: ANN401  # Ray hands back whatever was returned
        """Wait for a task; an error of ours in a worker is raised as it was there."""
        self._flying.add(reference)
        try:
            return await reference
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, SteelyardError):
                raise error.cause from error
            raise
        except ray.exceptions.RayError as error:
            first_line = str(error).strip().partition("\n")[0]
            raise WorkerLost(f"Ray: work was lost, and so were its {TRIES} tries: {first_line}") from error
        finally:
            self._flying.discard(reference)


class WorkerLost(InfrastructureError):
    """A worker, or its machine, has died."""


class _Piece:
    """Requests that are handed out together, and what has come of them so far."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self._requests = requests
        self._found: dict[SampleKey, Sample | Halt] = {}
        self._overdrawn: Counter[SampleKey] = Counter()
        self._losses = 0

    def left(self) -> list[Request]:
        """Return what has come to nothing yet."""
        return [request for request in self._requests if request.key not in self._found]

    def results(self) -> list[Sample | Halt]:
        """Return what has come of each request, in order."""
        return [self._found[request.key] for request in self._requests]

    def halt(self, halt: Halt) -> None:
        """Draw nothing more."""
        self._found.update((request.key, halt) for request in self.left())

    def lose(self, lost: WorkerLost) -> None:
        """Note that a worker took its share with it, which may be handed out again, but not for ever."""
        self._losses += 1
        if self._losses >= TRIES:
            raise lost

    def take(self, drawn: Drawn) -> None:
        """Take what a worker brings. What it had not enough money for is handed out again with more."""
        for key, result in drawn.found.items():
            if not isinstance(result, Refused):
                self._found[key] = result
            elif result.why is not Why.BUDGET:
                self._found[key] = Halt(result.message, why=result.why)
            else:
                self._overdrawn[key] += 1
                if self._overdrawn[key] >= TRIES:
                    self._found[key] = Halt(OVERDRAWN, why=Why.PROVIDER)


def ray_crew(workshop: Workshop, limiters: Mapping[str, Limiter], budget: Budget) -> RayCrew:
    """Return the crew of a cluster for what a workshop has; workers limit calls each on their own."""
    return RayCrew(workshop.settings, budget, most={name: workshop.most_calls(name) for name in limiters})


def _packed(orders: Orders) -> bytes:
    try:
        return pickle.dumps(orders)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UserError(
            f"--engine ray: a part of the run cannot be sent to the cluster: {error}; use --engine local"
        ) from error
