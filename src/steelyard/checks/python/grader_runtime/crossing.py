"""Let tests see what becomes of a list, dict or set after it has crossed to them.

A generator may yield one list again and again, and a function of the tests may be handed it many times. So
the answer's end gives such containers numbers; where a number comes again, or its container has changed, the
grader's end refills what it had under it, as in one process.
"""

from collections.abc import Callable
from typing import Any

from steelyard.checks.python.grader_runtime.plain import Distrusted
from steelyard.checks.python.grader_runtime.values import CHANGING, refill

MOST = 100  # containers that are watched, the latest
LARGEST = 1 << 17  # bytes of one: a generator may be there to save memory


def parts(value: object) -> list[Any]:
    """Return a container that may change later, or those within a tuple.

    >>> parts((1, [2], ({"a": [3]},)))
    [[2], {'a': [3]}]
    """
    if type(value) in CHANGING:
        return [value]
    return [part for member in value for part in parts(member)] if type(value) is tuple else []


class Outgoing:
    """The answer's end: knows a container that it has sent before, and whether it has changed since."""

    def __init__(self, write: Callable[[object], bytes]) -> None:
        self._write = write
        self._sent: dict[int, tuple[Any, bytes]] = {}
        self._count = 0

    def numbered(self, value: object) -> list[int]:
        """Return the numbers of a value's containers; zero for one that is too large to watch."""
        return [self._number(part, self._write(part)) for part in parts(value)]

    def _number(self, part: object, written: bytes) -> int:
        known = next((number for number, (one, _) in self._sent.items() if one is part), 0)
        if not known and len(written) <= LARGEST:
            self._count = known = self._count + 1
            self._sent.pop(known - MOST, None)
        if known:
            self._sent[known] = (part, written)
        return known

    def changes(self) -> list[tuple[int, object]]:
        """Return the containers that have changed since they crossed."""
        now = [(number, one, self._write(one)) for number, (one, _) in self._sent.items()]
        changed = [(number, one, written) for number, one, written in now if written != self._sent[number][1]]
        self._sent.update((number, (one, written)) for number, one, written in changed)
        return [(number, one) for number, one, _ in changed]


class Incoming:
    """The grader's end: one container for each number of the other end, whose lies change its own values."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}

    def received(self, value: Any, numbers: list[int]) -> Any:  # noqa: ANN401  # a value of the same kind
        """Return a value with containers that were here before in their places, as they are now."""
        found = parts(value)
        if len(found) < len(numbers) or any(type(number) is not int for number in numbers):
            raise Distrusted("numbers what is not there")
        earlier: dict[int, object] = {}
        for number, part in zip(numbers, found, strict=False):
            if number in self._kept:
                self.change(number, part)
                earlier[id(part)] = self._kept[number]
            elif number:
                self._kept[number] = part
                self._kept.pop(number - MOST, None)
        return _with(earlier, value)

    def change(self, number: int, content: object) -> None:
        """Let the container under a number hold what the answer's holds now."""
        if number not in self._kept:
            raise Distrusted("changes what is not there")
        refill(self._kept[number], content)


def _with(earlier: dict[int, object], value: object) -> object:
    """Return a value with other containers in the places of some."""
    if earlier and type(value) is tuple:
        return tuple(_with(earlier, member) for member in value)
    return earlier.get(id(value), value)
