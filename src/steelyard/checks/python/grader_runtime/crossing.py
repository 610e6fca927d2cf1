"""Let tests see what becomes of a list, dict or set after it has crossed to them.

A generator may yield one list again and again, a function of the tests may be handed it many times, and a
coroutine changes its arguments only when it is awaited. So the answer's end gives such containers numbers,
and where a number comes again, the grader's end takes what it had under it, as in one process.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from steelyard.checks.python.grader_runtime.plain import Distrusted
from steelyard.checks.python.grader_runtime.values import CHANGING, refill

MOST = 100  # of the latest, at either end
LARGEST = 1 << 17  # bytes of one: a hundred are kept alive, and a generator may be there to save memory
DEPTH = 3  # a tuple of arguments, one of them a tuple, with a list in it
LAZY = frozenset({"coroutine", "generator", "async_generator"})  # what works on its arguments later


def parts(value: object, depth: int = DEPTH) -> list[Any]:
    """Return a container, or those within a tuple, that may change later.

    >>> parts((1, [2], ({"a": [3]},)))
    [[2], {'a': [3]}]
    """
    if type(value) in CHANGING:
        return [value]
    if type(value) is not tuple or not depth:
        return []
    return [part for member in value for part in parts(member, depth - 1)]


@dataclass(slots=True)
class Sent:
    """A container of the answer, its number, and how it was when it crossed."""

    number: int
    container: object
    was: bytes


class Outgoing:
    """The answer's end: knows a container that it has sent before, and whether it has changed since."""

    def __init__(self, write: Callable[[object], bytes]) -> None:
        self._write = write
        self._numbers = count(1)
        self._sent: deque[Sent] = deque(maxlen=MOST)

    def numbered(self, value: object) -> list[tuple[int, int]]:
        """Return the places of a value's containers with their numbers, a new one for each that is new."""
        found = [(place, self._sent_as(part)) for place, part in enumerate(parts(value)[:MOST])]
        return [(place, sent.number) for place, sent in found if sent is not None]

    def _sent_as(self, container: object) -> Sent | None:
        written, found = self._write(container), self._found(container)
        if len(written) > LARGEST:
            return None
        if found is None:
            found = Sent(next(self._numbers), container, written)
            self._sent.append(found)
        found.was = written
        return found

    def _found(self, container: object) -> Sent | None:
        return next((sent for sent in self._sent if sent.container is container), None)

    def known(self, value: object) -> None:
        """Take note that the tests know what a value's containers hold now."""
        for sent in filter(None, map(self._found, parts(value))):
            sent.was = self._write(sent.container)

    def changes(self) -> list[tuple[int, object]]:
        """Return what has changed since it crossed, by negative numbers: the others are of arguments."""
        now = [(sent, self._write(sent.container)) for sent in self._sent]
        changed = [(sent, written) for sent, written in now if written != sent.was]
        for sent, written in changed:
            sent.was = written
        return [(-sent.number, sent.container) for sent, _ in changed]

    def forget(self) -> None:
        """Watch none of them any longer."""
        self._sent.clear()


class Incoming:
    """The grader's end: one container for each number of the other end, whose lies change its own values."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}

    def received(self, value: object, numbered: object) -> Any:  # noqa: ANN401  # a value of the same kind
        """Return a value with containers that were here before in their places, as they are now."""
        found = parts(value)
        earlier: dict[int, object] = {}
        for place, number in _pairs(numbered):
            if not 0 <= place < len(found) or number <= 0:
                raise Distrusted("numbers what is not there")
            if number in self._kept:
                refill(self._kept[number], found[place])
                earlier[id(found[place])] = self._kept[number]
            else:
                self._keep(number, found[place])
        return _with(earlier, value) if earlier else value

    def _keep(self, number: int, container: object) -> None:
        self._kept[number] = container
        if len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]

    def change(self, number: int, content: object) -> None:
        """Let the container under a number hold what the answer's holds now."""
        if number not in self._kept:
            raise Distrusted("changes what is not there")
        refill(self._kept[number], content)


def _pairs(numbered: object) -> list[tuple[int, int]]:
    match numbered:
        case list(pairs) if all(type(pair) is tuple and [*map(type, pair)] == [int, int] for pair in pairs):
            return pairs
    raise Distrusted("no numbers")


def _with(earlier: dict[int, object], value: object) -> object:
    """Return a value with other containers in the places of some."""
    if type(value) is tuple:
        return tuple(_with(earlier, member) for member in value)
    return earlier.get(id(value), value)
