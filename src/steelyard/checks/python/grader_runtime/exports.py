"""Number the objects that the other process may speak of; they live as long as the process does."""

import types

from steelyard.checks.python.grader_runtime.dunders import dunders_of
from steelyard.checks.python.grader_runtime.plain import Distrusted

# Looked up once for all forks of a warm interpreter.
_USUAL: dict[type, list[str]] = {
    kind: dunders_of(kind) for kind in (types.ModuleType, types.FunctionType, type)
}


class Exports:
    """The objects handed out, by number."""

    def __init__(self) -> None:
        self._things: list[object] = []
        self._numbers: dict[int, int] = {}
        self._dunders: dict[type, list[str]] = dict(_USUAL)

    def number(self, thing: object) -> int:
        """Return the number of an object, a new one if it has none yet."""
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)
        return self._numbers[id(thing)]

    def thing(self, number: int) -> object:
        """Return the object with a number."""
        if type(number) is not int or not 0 <= number < len(self._things):
            raise Distrusted("speaks of an object that was never handed out")
        return self._things[number]

    def dunders(self, kind: type) -> list[str]:
        """Return the special methods of a class, looked up once."""
        if kind not in self._dunders:
            self._dunders[kind] = dunders_of(kind)
        return self._dunders[kind]
