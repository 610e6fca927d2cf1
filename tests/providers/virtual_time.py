"""Run coroutines in a time that passes only when everybody waits, so that hours take milliseconds."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from typing_extensions import override

Result = TypeVar("Result")


class _Selector(selectors.DefaultSelector):
    """Waits by moving the clock."""

    now = 0.0

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("everybody waits, and nothing will ever happen")
        self.now += max(0.0, timeout)
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._time = _Selector()
        super().__init__(self._time)

    @override
    def time(self) -> float:
        return self._time.now


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end; `asyncio.sleep` and `now` go by the same clock. A hang is an error, not a wait."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(main)


def now() -> float:
    return asyncio.get_running_loop().time()
