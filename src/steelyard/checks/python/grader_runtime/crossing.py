"""Let containers stay the same ones where they cross: lists, dicts and sets that may change.

A function changes its arguments, and what is within them; it returns one of them, or a part. So both ends go
through what is handed over in one order, and what has changed goes back in that order. A generator may yield
one list again and again, and a function of the tests may be handed it many times: the answer's end gives such
containers numbers; where a number comes again, or its container has changed, the grader's end refills what it
had under it, as in one process.
"""

from collections.abc import Callable, Iterable
from typing import Any

from steelyard.checks.python.grader_runtime.plain import Distrusted
from steelyard.checks.python.grader_runtime.values import CHANGING, MAPPINGS, is_plain, refill

MOST = 8  # containers that are watched, the latest
LARGEST = 1 << 16  # bytes of all of them: each reply writes them once more
SMALL = 1 << 13  # bytes of what is compared with each item of an iterator
SEQUENCES = CHANGING - MAPPINGS - {set, bytearray}
SEEN_THROUGH = frozenset({tuple, type({}.values()), type({}.items())})
MAY_CHANGE = CHANGING | SEEN_THROUGH


class Iterators:
    """What iterators were made with, at either end: to ask one for an item is to hand it over once more."""

    def __init__(self) -> None:
        self._given: dict[int, tuple[Any, ...]] = {}

    def keep(self, numbers: list[int], given: tuple[Any, ...], within: list[int]) -> None:
        """Keep what some iterators were made with, and what the iterators within that were made with."""
        everything = (*given, *(part for number in within for part in self._given.get(number, ())))
        if numbers and containers(everything):
            self._given = {**dict.fromkeys(numbers, everything), **self._given}

    def given_by(self, request: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what a request hands over, be it once more."""
        is_next = request[2:3] == ("__next__",)
        return self._given.get(request[1], ()) if is_next else given_by(request)


def iterators(value: object) -> list[object]:
    """Return an iterator, or those in a tuple."""
    members: tuple[object, ...] = value if type(value) is tuple else (value,)
    return [one for one in members if hasattr(type(one), "__next__")]


def given_by(request: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a request hands over, in an order that both processes know."""
    match request:
        case ("call", _, _, arguments, named):
            return (*arguments, *named.values())
        case ("set", _, _, value):
            return (value,)
    return ()


def containers(root: object) -> list[Any]:
    """Return all containers within a value, each once, in an order that both processes know.

    >>> containers((1, [[2], ([3],)], {"a": {4}}))
    [[[2], ([3],)], [2], [3], {'a': {4}}, {4}]
    """
    found: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        value: Any = waiting.pop()
        if id(value) in found or (type(value) in CHANGING and not is_plain(value)):
            continue
        if type(value) in CHANGING:
            found[id(value)] = value
        waiting += [*_within(value)][::-1]
    return list(found.values())


def _within(value: Any) -> Iterable[Any]:  # noqa: ANN401  # whatever crosses
    """Give what may be, or hold, a container in a value."""
    items = (
        value.values()
        if type(value) in MAPPINGS
        else value
        if type(value) in SEQUENCES | SEEN_THROUGH
        else ()
    )
    if MAY_CHANGE.isdisjoint(map(type, items)):
        return ()
    return [item for item in items if type(item) in MAY_CHANGE]


def holds_one(value: object, olds: list[Any]) -> bool:
    """Whether there is one of these containers within a value."""
    known = {id(old) for old in olds}
    return any(id(one) in known for one in containers(value))


def settled(value: object, news: list[Any], olds: list[Any]) -> Any:  # noqa: ANN401  # a value of the same kind
    """Let containers hold what the other end says, and return a value in which they stand in their places.

    >>> rows = [[1], [2]]; first, news = rows[0], [[[2], [1, 5]], [1, 5], [2]]
    >>> news[0][:] = news[2], news[1]
    >>> settled(news[1], news, [rows, *rows]) is first, rows, first
    (True, [[2], [1, 5]], [1, 5])
    """
    if [type(new) for new in news] != [type(old) for old in olds] or not CHANGING.issuperset(map(type, news)):
        raise Distrusted("changes what was never handed over")
    earlier = {id(new): old for new, old in zip(news, olds, strict=True)}
    for container in containers((value, *news)):
        places = container.items() if type(container) in MAPPINGS else enumerate(container)
        for place, item in [*places] if type(container) in MAPPINGS | SEQUENCES else ():
            if type(item) in MAY_CHANGE:
                container[place] = _with(earlier, item)
    for new, old in zip(news, olds, strict=True):
        refill(old, new)
    return _with(earlier, value)


def parts(value: object) -> list[Any]:
    """Return a container that may change later, or those within a tuple.

    >>> parts((1, [2], ({"a": [3]},)))
    [[2], {'a': [3]}]
    """
    if type(value) in CHANGING:
        return [value] if is_plain(value) else []
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
        if known:
            self._sent[known] = (part, written)
        while len(self._sent) > MOST or sum(len(one) for _, one in self._sent.values()) > LARGEST:
            del self._sent[min(self._sent)]
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
