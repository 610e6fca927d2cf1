"""Run functions in this process."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

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
