"""Raise in the grader what was raised in the answer's process, so that `except` and `raises` see it.

A class of the library is looked up by its name, unless a test runner would take it for an order to skip or
stop; a class of the answer's own gets a stand-in here, whose attributes are asked for over there.
"""

import builtins
import sys
from types import MemberDescriptorType
from typing import Any

from steelyard.checks.python.grader_runtime.handles import LINE, NUMBER, Asked, ask, refuse
from steelyard.checks.python.grader_runtime.plain import Distrusted

RUNNERS = frozenset({"unittest", "doctest", "bdb", "test"})  # their exceptions tell a test runner what to do
TEXT = "_steelyard_text"


class StandIn(type):
    """The class of classes that stand for the answer's own exceptions; to call one is to ask the answer."""

    def __call__(cls, /, *arguments: object, **named: object) -> Any:  # noqa: ANN401  # an exception
        """Let the answer make one, which comes back as an exception here."""
        if NUMBER not in vars(cls):
            refuse("a class of errors made from one of the answer")
        line: Asked = getattr(cls, LINE)
        return line.request("call", getattr(cls, NUMBER), "__call__", arguments, named)

    def __getattr__(cls, name: str) -> object:
        """Return what the class over there has."""
        if name.startswith("_"):
            raise AttributeError(name)
        line: Asked = getattr(cls, LINE)
        return line.request("get", getattr(cls, NUMBER), name)


def tells_a_runner(kind: type) -> bool:
    """Whether an exception tells a test runner what to do, such as to skip a test."""
    return kind.__module__.partition(".")[0] in RUNNERS


def known_exception(module: str, name: str) -> type[BaseException] | None:
    """Return an exception class of the library, unless it means something to a test runner.

    >>> known_exception("builtins", "KeyError"), known_exception("unittest.case", "SkipTest")
    (<class 'KeyError'>, None)
    """
    found: Any = None
    if module == "builtins":
        found = getattr(builtins, name, None)
    elif module.partition(".")[0] in sys.stdlib_module_names - RUNNERS:
        found = vars(sys.modules.get(module, builtins)).get(name)
    base = BaseException if module == "builtins" else Exception
    is_one = isinstance(found, type) and issubclass(found, base) and found.__module__ == module
    return found if is_one else None


class AnswerErrors:
    """The classes of what the answer raises, by their numbers over there."""

    def __init__(self, line: Asked) -> None:
        self._line = line
        self._kinds: dict[int, type[BaseException]] = {}

    def kind(self, number: int, module: str, name: str, bases: list[type[BaseException]]) -> object:
        """Return the class here for one there: the library's own, or a stand-in with the same bases."""
        if number not in self._kinds:
            self._kinds[number] = known_exception(module, name) or self._stand_in(number, name, bases)
        return self._kinds[number]

    def _stand_in(self, number: int, name: str, bases: list[type[BaseException]]) -> type[BaseException]:
        body = {"__module__": "solution", "__str__": _said, "__getattr__": _asked}
        body |= {LINE: self._line, NUMBER: number, "__qualname__": name}
        for parents in (tuple(bases), tuple(bases[:1]), (Exception,)):
            try:
                made: Any = StandIn(name.rpartition(".")[2], parents, dict(body))
            except TypeError:  # classes that do not go together here
                continue
            if issubclass(made, BaseException):
                return made  # type: ignore[no-any-return]  # as just seen
        raise Distrusted(f"no exception class: {name}")


def words(error: BaseException) -> Any:  # noqa: ANN401  # a tuple of whatever
    """Return what makes an exception again: an OSError does not keep all of it among its arguments.

    >>> words(FileNotFoundError(2, "not there", "a.txt"))
    (2, 'not there', 'a.txt')
    """
    return OSError.__reduce__(error)[1] if isinstance(error, OSError) else error.args


def remade(kind: type[BaseException], arguments: Any) -> BaseException:  # noqa: ANN401  # as above
    """Return an exception with its arguments; what it says matters, not how its class would have it made."""
    try:  # only the builtin ones are known to do nothing but keep what they are given
        error = kind(*arguments) if kind.__module__ == "builtins" else kind.__new__(kind, *arguments)
    except Exception:  # noqa: BLE001  # a class with demands of its own
        error = kind.__new__(kind)
    error.args = error.args or arguments  # an OSError keeps a part of them elsewhere
    return error


def members(kind: type[BaseException]) -> dict[str, MemberDescriptorType]:
    """Return what classes of the library keep elsewhere than among the attributes.

    >>> [*members(SystemExit)]
    ['code']
    """
    return {
        name: item
        for base in kind.__mro__
        for name, item in (vars(base).items() if base.__module__ == "builtins" else ())
        if type(item) is MemberDescriptorType and not name.startswith("_")
    }


def is_of_answer(error: BaseException) -> bool:
    """Whether an exception was raised in the answer's process first."""
    return TEXT in vars(error)


def _asked(error: BaseException, name: str) -> object:
    """Return what the exception over there has, such as a field, a property or a method."""
    if name.startswith("__"):
        raise AttributeError(name)
    return ask(error, "get", name)


def _said(error: BaseException) -> str:
    return str(vars(error).get(TEXT, ""))
