"""Follow what a call does to the lists, dicts and sets it is given, so that its caller sees it too."""

from collections import Counter, OrderedDict, defaultdict, deque
from operator import is_
from typing import Any

from steelyard.checks.python.grader_runtime.plain import ATOMS, Distrusted

SEQUENCES = frozenset({list, deque, bytearray})
MAPPINGS = frozenset({dict, OrderedDict, Counter, defaultdict})
MUTABLE = SEQUENCES | MAPPINGS | {set}


def containers(root: object) -> list[Any]:
    """Return the containers within a value that can be changed, in an order that two equal values share."""
    found, seen, waiting = [], set(), [root]
    while waiting:
        value: Any = waiting.pop()
        kind = type(value)
        if kind in MUTABLE:
            if id(value) in seen:
                continue
            seen.add(id(value))
            found.append(value)
        if kind in MAPPINGS:
            value = tuple(value.values())
        elif kind not in SEQUENCES and kind is not tuple:
            continue
        if kind is not bytearray and not ATOMS.issuperset(map(type, value)):
            waiting.extend(reversed([item for item in value if type(item) not in ATOMS]))
    return found


class Watch:
    """The containers given to one call, as they were before it."""

    def __init__(self, given: object) -> None:
        self.known = containers(given)
        self._before = [container.copy() for container in self.known]

    def numbers(self) -> dict[int, int]:
        """Return the place of each container by its identity."""
        return {id(container): place for place, container in enumerate(self.known)}

    def changed(self) -> list[int]:
        """Return the places of the containers that are not what they were."""
        return [
            place
            for place, (now, before) in enumerate(zip(self.known, self._before, strict=True))
            if not _same(now, before)
        ]


def _same(now: Any, before: Any) -> bool:  # noqa: ANN401  # two containers of one kind, whichever it is
    """Whether two containers hold the very same objects."""
    if len(now) != len(before):
        return False
    if type(now) in MAPPINGS:
        return all(map(is_, now, before)) and all(map(is_, now.values(), before.values()))
    if type(now) is set:
        return bool(now == before)
    return all(map(is_, now, before))


def refill(container: Any, content: Any) -> None:  # noqa: ANN401  # as above
    """Make a container hold what another one of its kind holds."""
    if type(container) is not type(content):
        raise Distrusted(f"a {type(container).__name__} cannot become a {type(content).__name__}")
    container.clear()
    if type(container) in SEQUENCES:
        container.extend(content)
    else:
        container.update(content)
