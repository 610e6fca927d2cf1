"""Engines by name: where reports are computed, and where answers are generated and checked."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

# Compute reports; other packages add names through the entry-point group `steelyard.engines`.
ENGINES = {
    "local": "steelyard.runner.engines:LocalEngine",
    "ray": "steelyard.runner.ray.engine:RayEngine",
}
# Generate and check answers, by the same names.
WORKERS = {
    "local": "steelyard.runner.local.workers:local_workers",
    "ray": "steelyard.runner.ray.workers:ray_workers",
}

Item = TypeVar("Item")
Result = TypeVar("Result")


class LocalEngine:
    """Runs everything in this process; functions may use every core."""

    parts = 1

    def __init__(self, *, threads: int | None = None) -> None:
        """Set the threads of each function; None: one per core."""
        self.threads = threads

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[Result]:
        """Return the function's result for each item, in order."""
        return map(function, items)

    def close(self) -> None:
        """Do nothing: nothing was started."""
