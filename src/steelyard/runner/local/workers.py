"""Draw and check in this process: calls on the event loop, checks on threads."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from steelyard.model.facts import Outcome
from steelyard.model.request import Request
from steelyard.model.sample import Sample
from steelyard.providers.limiter import Limiter
from steelyard.runner.batch_size import Pace
from steelyard.runner.check.checking import Checking
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import Drawer, Halt, Terms
from steelyard.runner.resources import Workshop
from steelyard.runner.workers import Task

PIECE_S = 0.05  # checks that take microseconds are handed to a thread by the hundred, others one by one
MOST_PIECE = 500


class LocalCrew:
    """The crew of a laptop; sandboxed checks are other processes, so threads suffice to wait for them."""

    draw_size = 1

    def __init__(
        self, drawer: Drawer, checking: Checking, *, limiters: Mapping[str, Limiter], threads: int
    ) -> None:
        self._drawer = drawer
        self._checking = checking
        self._limiters = limiters
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="check")
        self._pace = Pace(piece_s=PIECE_S, most=MOST_PIECE)
        self.check_width = threads

    @property
    def check_size(self) -> int:
        """As many as are checked in the time of a piece."""
        return self._pace.size

    def draw_width(self, provider: str) -> int:
        """Return how many calls the provider takes at a time, as far as its limiter knows."""
        return self._limiters[provider].width

    async def draw(self, requests: Sequence[Request]) -> list[Sample | Halt]:
        """Draw, one after the other."""
        drawn: list[Sample | Halt] = []
        for request in requests:
            try:
                drawn.append(await self._drawer.drawn(request))
            except Halt as halt:
                drawn.append(halt)
        return drawn

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Check on a thread."""
        began = time.monotonic()
        outcomes = await asyncio.get_running_loop().run_in_executor(self._threads, self._checked, tasks)
        self._pace.took(time.monotonic() - began, items=len(tasks))
        return outcomes

    async def close(self) -> None:
        """Wait for checks that are under way; they end by their limits."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    def _checked(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [self._checking.outcome(case, sample) for case, sample in tasks]


def local_crew(workshop: Workshop, limiters: Mapping[str, Limiter], budget: Budget) -> LocalCrew:
    """Return the crew of this process for what a workshop has."""
    settings = workshop.settings
    terms = Terms(budget=budget, prices=settings.prices, retries=settings.retries)
    drawer = Drawer(workshop.pool, terms, limiters=limiters)
    return LocalCrew(drawer, workshop.checking, limiters=limiters, threads=settings.threads)
