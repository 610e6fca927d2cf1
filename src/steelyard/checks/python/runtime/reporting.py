"""Report the values of sealed assertions: the rewritten tests call this under the name `__steelyard__`.

It knows no expected value and compares nothing. A report that is wrong does not stop its test.
"""

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from steelyard.checks.python.runtime.encoding import encode

TYPES = tuple(kind for kind in vars(builtins).values() if isinstance(kind, type))
LONGEST_MESSAGE = 100_000
PASSED_ON = {"GeneratorExit", "SkipTest", "Skipped", "XFailed", "Exit"}  # skips, and the end of a generator


class Cell:
    """Stands in a table for a value that stays outside of the sandbox."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return "<hidden value>"


class Reporter:
    """Sends reports; each value is encoded at once, so a later change of it does not matter."""

    def __init__(self, send: Callable[[list[object]], None]) -> None:
        self._send = send
        self._last: dict[int, list[object]] = {}

    def cell(self, index: int) -> Cell:
        """Return the placeholder of a table's hidden value."""
        return Cell(index)

    def report(self, number: int, value: object, cell: object = None) -> None:
        """Report a value; one that is equal to the assertion's last is not sent again."""
        report = ["report", number, cell.index if isinstance(cell, Cell) else None, encode(value)]
        self._send(["again", number] if report == self._last.get(number) else report)
        self._last[number] = report

    def truth(self, number: int, value: object, cell: object = None) -> None:
        """Report whether a value is true."""
        self.report(number, bool(value), cell)

    def identity(self, number: int, value: object, cell: object = None) -> None:
        """Report None, True and False as themselves, and anything else by its type."""
        is_singleton = value is None or value is True or value is False
        self.report(number, value if is_singleton else f"<{type(value).__name__}>", cell)

    def members(self, number: int, value: object, cell: object = None) -> None:
        """Report a container; a dict contains only its keys."""
        is_dict = getattr(type(value), "__contains__", None) is dict.__contains__
        self.report(number, list(dict.keys(value)) if is_dict else value, cell)  # type: ignore[arg-type]

    def types(self, number: int, value: object) -> None:
        """Report the built-in type of a value, and those that it is an instance of."""
        name = type(value).__name__ if type(value) in TYPES else ""
        self.report(number, [name, *(kind.__name__ for kind in TYPES if isinstance(value, kind))])

    def calls(self, number: int, mock: Any, cell: object = None) -> None:  # noqa: ANN401  # any mock
        """Report the calls of a mock; those of one with a signature are not plain data."""
        # With a signature, `f(1)` and `f(x=1)` are the same call, which outside cannot be known.
        # `create_autospec` of a function makes a function.
        owner = getattr(mock, "mock", None) if isinstance(mock, FunctionType) else mock
        has_signature = getattr(owner, "_spec_signature", None) is not None
        self.report(number, object() if has_signature else mock.call_args_list, cell)

    @contextmanager
    def raises(self, number: int, cell: object = None) -> Iterator[object]:
        """Report the exception of a block; return it in the forms of pytest and of unittest."""
        import pytest  # noqa: PLC0415  # loaded only where it is used

        info: Any = pytest.ExceptionInfo.for_later()
        try:
            yield info
        except BaseException as error:
            if type(error).__name__ in PASSED_ON:
                raise
            info.fill_unfilled((type(error), error, error.__traceback__))
            info.exception = error
            names = [base.__name__ for base in type(error).__mro__]
            self.report(number, [names, _message(error)[:LONGEST_MESSAGE]], cell)
        else:
            self.report(number, None, cell)


def _message(error: BaseException) -> str:
    try:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])
    except Exception:  # noqa: BLE001  # an exception of the answer whose text fails
        return ""
