"""Raise here what was raised in the other process, so that `except` and `raises` see what they expect.

Only harmless classes are taken by name: an answer must not be able to raise what would skip or stop a run.
"""

import sys
from typing import Any

from steelyard.checks.python.grader_runtime.plain import Distrusted

RUNNERS = frozenset({"unittest", "doctest", "bdb", "test"})  # their exceptions tell a test runner what to do


class Exceptions:
    """The classes of exceptions that live in the other process."""

    def __init__(self) -> None:
        self._kinds: dict[int, type[BaseException]] = {}

    def kind(
        self, number: int, module: str, name: str, bases: list[type[BaseException]]
    ) -> type[BaseException]:
        """Return the class here for one there: the library's own, or a new one with the same bases."""
        if number not in self._kinds:
            self._kinds[number] = library_exception(module, name) or _new_class(module, name, bases)
        return self._kinds[number]

    def made(
        self, kind: object, arguments: tuple[object, ...], text: str, attributes: dict[str, object]
    ) -> BaseException:
        """Return an exception like the one that was raised over there."""
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise Distrusted("raised something that is no exception")
        try:
            error = kind(*arguments)
        except Exception:  # noqa: BLE001  # a class with demands of its own; what it says matters, not how it is made
            error = kind.__new__(kind, *arguments)
            error.args = arguments
        if "_said" in vars(kind):
            attributes = {**attributes, "_said_text": text}
        vars(error).update({str(name): value for name, value in attributes.items()})
        return error


def library_exception(module: str, name: str) -> type[BaseException] | None:
    """Return an exception class of the standard library, unless it means something to a test runner."""
    root = module.partition(".")[0]
    if root not in sys.stdlib_module_names or root in RUNNERS:
        return None
    found: Any = getattr(sys.modules.get(module), name, None)
    is_one = isinstance(found, type) and issubclass(found, Exception) and found.__module__ == module
    return found if is_one else None


def _said(error: BaseException) -> str:
    return str(vars(error).get("_said_text", BaseException.__str__(error)))


def _new_class(module: str, name: str, bases: list[type[BaseException]]) -> type[BaseException]:
    body: dict[str, object] = {"__module__": module, "__str__": _said, "_said": True}
    for parents in (tuple(bases), tuple(bases[:1]), (Exception,)):
        try:
            made: type[BaseException] = type(name, parents, dict(body))
        except TypeError:
            continue
        if issubclass(made, BaseException):
            return made
    raise Distrusted(f"no exception class: {name}")
