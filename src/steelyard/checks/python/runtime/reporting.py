"""Report the values of sealed assertions: the rewritten tests call this under the name `__steelyard__`.

It knows no expected value and compares nothing. A report that is wrong does not stop its test.
"""

import builtins
import sys
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from steelyard.checks.python.runtime.encoding import encode

TYPES = tuple(kind for kind in vars(builtins).values() if isinstance(kind, type))
LONGEST_MESSAGE = 100_000
ARRAY_PACKAGES = {"numpy", "pandas"}
PASSED_ON = {"GeneratorExit", "SkipTest", "Skipped", "XFailed", "Exit"}  # skips, and the end of a generator


Call = Callable[..., object]


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

    def cell(self, index: int) -> Cell:
        """Return the placeholder of a table's hidden value."""
        return Cell(index)

    def report(self, number: int, value: object, cell: object = None) -> None:
        """Report a value."""
        index = cell.index if isinstance(cell, Cell) else None
        self._send(["report", number, index, encode(value)])

    def truth(self, number: int, value: object, cell: object = None) -> None:
        """Report whether a value is true."""
        self.report(number, bool(value), cell)

    def identity(self, number: int, value: object, cell: object = None) -> None:
        """Report None, True and False as themselves, and anything else by its type."""
        is_singleton = value is None or value is True or value is False
        self.report(number, value if is_singleton else f"<{type(value).__name__}>", cell)

    def types(self, number: int, value: object) -> None:
        """Report the built-in type of a value, and those that it is an instance of."""
        name = type(value).__name__ if type(value) in TYPES else ""
        self.report(number, [name, *(kind.__name__ for kind in TYPES if isinstance(value, kind))])

    def numbers(self, number: int, value: object, cell: object = None) -> None:
        """Report a value; arrays of numpy and pandas as lists."""
        is_array = type(value).__module__.partition(".")[0] in ARRAY_PACKAGES
        to_list = getattr(value, "tolist", None) if is_array else None
        self.report(number, to_list() if to_list else value, cell)

    def message(self, number: int, raised: Any, cell: object = None) -> None:  # noqa: ANN401  # any context
        """Report the message of an exception that a context caught."""
        self.report(number, _message(raised.value), cell)

    def calls(self, number: int, mock: Any, cell: object = None) -> None:  # noqa: ANN401  # any mock
        """Report the calls of a mock."""
        self._report_calls(number, mock, mock.call_args_list, cell)

    def awaits(self, number: int, mock: Any, cell: object = None) -> None:  # noqa: ANN401  # any mock
        """Report the awaited calls of a mock."""
        self._report_calls(number, mock, mock.await_args_list, cell)

    def mock_calls(self, number: int, mock: Any, cell: object = None) -> None:  # noqa: ANN401  # any mock
        """Report the calls of a mock and of its attributes."""
        self._report_calls(number, mock, mock.mock_calls, cell)

    def _report_calls(self, number: int, mock: Any, calls: object, cell: object) -> None:  # noqa: ANN401
        # With a signature, `f(1)` and `f(x=1)` are the same call, which outside cannot be known.
        # `create_autospec` of a function makes a function.
        owner = getattr(mock, "mock", None) if isinstance(mock, FunctionType) else mock
        has_signature = getattr(owner, "_spec_signature", None) is not None
        self.report(number, object() if has_signature else calls, cell)

    def raises(self, number: int, cell: object = None) -> "RaisedError":
        """Return a context manager that reports the exception of its block."""
        return RaisedError(self, number, cell, _names_of_caller())

    def caught(
        self, number: int, cell: object, function: Call, /, *args: object, **kwargs: object
    ) -> "RaisedError":
        """Report the exception of a call."""
        raised = RaisedError(self, number, cell, _names_of_caller())
        with raised:
            function(*args, **kwargs)
        return raised


class RaisedError:
    """The exception of a block, in the forms of pytest's ExceptionInfo and of unittest's context."""

    def __init__(self, reporter: Reporter, number: int, cell: object, names: Mapping[str, object]) -> None:
        self._reporter, self._number, self._cell, self._names = reporter, number, cell, names
        self.value: Any = None
        self.type: Any = None
        self.tb: TracebackType | None = None

    def __enter__(self) -> "RaisedError":  # noqa: PYI034  # Python 3.10 has no `Self`
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        self.type, self.value, self.tb = kind, value, traceback
        if kind is None:
            self._reporter.report(self._number, None, self._cell)
            return False
        if kind.__name__ in PASSED_ON:
            return False
        message = _message(value)[:LONGEST_MESSAGE]
        self._reporter.report(self._number, [_class_names(kind, self._names), message], self._cell)
        return True

    @property
    def exception(self) -> Any:  # noqa: ANN401  # as in unittest
        """The exception, as unittest's context names it."""
        return self.value

    def match(self, pattern: str) -> bool:
        """Check the message, as pytest's ExceptionInfo does."""
        import re  # noqa: PLC0415  # loaded only where it is used

        message = _message(self.value)
        if not re.search(pattern, message):
            raise AssertionError(f"{pattern!r} does not match {message!r}")
        return True

    def __getattr__(self, name: str) -> object:
        """Return what only pytest's ExceptionInfo has."""
        import pytest  # noqa: PLC0415  # as `re`

        if name.startswith("_") or self.value is None:
            raise AttributeError(name)
        return getattr(pytest.ExceptionInfo.from_exception(self.value), name)

    def __str__(self) -> str:
        return repr(self.value)


def _message(error: BaseException | None) -> str:
    try:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])
    except Exception:  # noqa: BLE001  # an exception of the answer whose text fails
        return ""


def _names_of_caller() -> dict[str, object]:
    """Return the names by which the tests may know exception classes."""
    frame = sys._getframe(2)  # noqa: SLF001  # of the tests, which called the reporter
    return {**vars(builtins), **frame.f_globals, **frame.f_locals}


def _class_names(kind: type[BaseException], names: Mapping[str, object]) -> list[str]:
    """Return the names of an exception's classes, with those that the tests use for them."""
    classes = set(kind.__mro__)
    found = [base.__name__ for base in kind.__mro__]
    for name, value in list(names.items()):
        if isinstance(value, ModuleType):
            members = [member for member, item in list(vars(value).items()) if _is_in(item, classes)]
            found += [f"{name}.{member}" for member in members]
        elif _is_in(value, classes):
            found.append(name)
    return found


def _is_in(value: object, classes: set[type]) -> bool:
    return isinstance(value, type) and value in classes
