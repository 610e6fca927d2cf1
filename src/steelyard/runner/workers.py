"""Who does the work of a run: draws answers and checks them, here or elsewhere. Nobody of them writes."""

from collections.abc import Sequence
from typing import Protocol

from steelyard.model.case import Case
from steelyard.model.facts import Outcome
from steelyard.model.request import Request
from steelyard.model.sample import Sample
from steelyard.runner.draw.drawer import Halt

Task = tuple[Case, Sample]


class Crew(Protocol):
    """Draws and checks, each in pieces of a size that suits it; used from one event loop."""

    @property
    def draw_size(self) -> int:
        """How many requests make a good piece of work."""

    @property
    def check_size(self) -> int:
        """How many samples make a good piece of work; may change as the crew learns how long checks take."""

    @property
    def check_width(self) -> int:
        """How many pieces are checked at a time."""

    def draw_width(self, provider: str) -> int:
        """Return how many pieces may be drawn from a provider at a time, as of now."""

    async def draw(self, requests: Sequence[Request]) -> list[Sample | Halt]:
        """Return a sample for each request, in order, or why it was not drawn."""

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcome of each sample, in order."""

    async def close(self) -> None:
        """Let go of whatever was started."""
