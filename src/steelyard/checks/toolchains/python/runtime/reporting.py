"""Report the values of sealed assertions: rewritten tests call a Reporter named `__steelyard__`.

It has no expected values and compares nothing. A wrong value does not stop its test.
"""

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from steelyard.checks.toolchains.python.runtime.encoding import encode

TYPES = tuple(kind for kind in vars(builtins).values() if isinstance(kind, type))
MAX_MESSAGE = 100_000
CONTROL_FLOW = {"GeneratorExit", "SkipTest", "Skipped", "XFailed", "Exit"}  # not reported


class Cell:
    """Placeholder in a table for a value that stays outside the sandbox."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return "<hidden value>"


class Reporter:
    """Sends reports. Values are encoded immediately: later mutation must not matter."""

    def __init__(self, send: Callable[[list[object]], None]) -> None:
        self._send = send
        self._last: dict[int, list[object]] = {}

    def cell(self, index: int) -> Cell:
        """Return a placeholder."""
        return Cell(index)

    def report(self, number: int, value: object, cell: object = None) -> None:
        """Report a value; one that equals the assertion's previous one is not sent again."""
        report = ["report", number, cell.index if isinstance(cell, Cell) else None, encode(value)]
        self._send(["again", number] if report == self._last.get(number) else report)
        self._last[number] = report

    def truth(self, number: int, value: object, cell: object = None) -> None:
        """Report whether a value is true."""
        self.report(number, bool(value), cell)

    def identity(self, number: int, value: object, cell: object = None) -> None:
        """Report None, True and False as they are, other values by their type."""
        is_singleton = value is None or value is True or value is False
        self.report(number, value if is_singleton else f"<{type(value).__name__}>", cell)

    def members(self, number: int, value: object, cell: object = None) -> None:
        """Report a container; a dict contains only its keys."""
        is_dict = getattr(type(value), "__contains__", None) is dict.__contains__
        self.report(number, list(dict.keys(value)) if is_dict else value, cell)  # type: ignore[arg-type]

    def types(self, number: int, value: object) -> None:
        """Report a value's built-in type, and all built-in types that it is an instance of."""
        name = type(value).__name__ if type(value) in TYPES else ""
        self.report(number, [name, *(kind.__name__ for kind in TYPES if isinstance(value, kind))])

    def calls(self, number: int, mock: Any, cell: object = None) -> None:  # noqa: ANN401  # any mock
        """Report a mock's calls; with a signature they are not plain data."""
        # With a signature, `f(1)` and `f(x=1)` are equal, which cannot be decided outside.
        # `create_autospec` of a function returns a function.
        owner = getattr(mock, "mock", None) if isinstance(mock, FunctionType) else mock
        has_signature = getattr(owner, "_spec_signature", None) is not None
        self.report(number, object() if has_signature else mock.call_args_list, cell)

    @contextmanager
    def raises(self, number: int, cell: object = None) -> Iterator[object]:
        """Report the exception of a block; yield an object for pytest's and unittest's attributes."""
        import pytest  # noqa: PLC0415  # slow to load; scripts rarely need it

        info: Any = pytest.ExceptionInfo.for_later()
        try:
            yield info
        except BaseException as error:
            if type(error).__name__ in CONTROL_FLOW:
                raise
            info.fill_unfilled((type(error), error, error.__traceback__))
            info.exception = error
            names = [base.__name__ for base in type(error).__mro__]
            self.report(number, [names, _message(error)[:MAX_MESSAGE]], cell)
        else:
            self.report(number, None, cell)


def _message(error: BaseException) -> str:
    try:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])
    except Exception:  # noqa: BLE001  # `__str__` may be the answer's
        return ""
