"""Write messages as bytes: as they are if they are plain, or else as trees of plain words.

A tree is an atom, or a tag with a list of trees that one of the fixed makers below turns into a value, or a
tag with a tuple: what only one of the two processes can write, and only the other can read.
"""

import datetime as dt
import fractions
import pathlib
import types
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from decimal import Decimal
from operator import index
from typing import Any

from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.plain import ATOMS, Distrusted, NotPlain

AGAIN = "again"  # the tag of a container that stands in a message before
Tree = object
Words = Callable[[Any], list[object]]
Maker = Callable[[list[Any]], object]
Other = Callable[[Any], Tree]  # writes what is not in the table below
Special = Mapping[str, Callable[..., object]]  # reads what `Other` of the other process writes
# What may be one object in several places: if it changes in one, it does in all.
MAPPINGS = frozenset({dict, OrderedDict, Counter, defaultdict})
CHANGING = MAPPINGS | {list, set, deque, bytearray}


def _pairs(value: Any) -> list[object]:  # noqa: ANN401  # a mapping
    return [part for pair in value.items() for part in pair]


def _filled(made: Any, words: list[Any]) -> Any:  # noqa: ANN401  # as above
    made.update(dict(zip(words[::2], words[1::2], strict=True)))
    return made


# Classes that may travel by name: whatever they are given, they make plain values.
_SAFE = (*ATOMS, *plain.CONTAINERS, complex, bytearray, range, Counter, OrderedDict, defaultdict, deque)
_TIMES = (dt.date, dt.time, dt.datetime, dt.timedelta, dt.timezone)
TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (*_SAFE, *_TIMES, Decimal, fractions.Fraction, uuid.UUID)
}
# For each type: what it is made of, and how to make it again; no few words may make something large.
TABLE: dict[type, tuple[Words, Maker]] = {
    list: (list, list),
    tuple: (list, tuple),
    set: (list, set),
    frozenset: (list, frozenset),
    dict: (_pairs, lambda words: _filled({}, words)),
    OrderedDict: (_pairs, lambda words: _filled(OrderedDict(), words)),
    Counter: (_pairs, lambda words: _filled(Counter(), words)),
    defaultdict: (
        lambda v: [v.default_factory, *_pairs(v)],
        lambda words: _filled(defaultdict(words[0]), words[1:]),
    ),
    deque: (lambda v: [v.maxlen, *v], lambda words: deque(words[1:], words[0])),
    bytearray: (lambda v: [bytes(v)], lambda words: bytearray(b"".join(words))),
    complex: (lambda v: [v.real, v.imag], lambda words: complex(*words)),
    range: (lambda v: [v.start, v.stop, v.step], lambda words: range(*words)),
    slice: (lambda v: [v.start, v.stop, v.step], lambda words: slice(*words)),
    Decimal: (lambda v: [str(v)], lambda words: Decimal(*words)),
    fractions.Fraction: (
        lambda v: [v.numerator, v.denominator],
        lambda words: fractions.Fraction(*map(index, words)),
    ),
    dt.date: (lambda v: [v.isoformat()], lambda words: dt.date.fromisoformat(*words)),
    dt.time: (lambda v: [v.isoformat()], lambda words: dt.time.fromisoformat(*words)),
    dt.datetime: (lambda v: [v.isoformat()], lambda words: dt.datetime.fromisoformat(*words)),
    dt.timedelta: (lambda v: [v.days, v.seconds, v.microseconds], lambda words: dt.timedelta(*words)),
    dt.timezone: (lambda v: [v.utcoffset(None)], lambda words: dt.timezone(*words) if words[0] else dt.UTC),
    uuid.UUID: (lambda v: [v.hex], lambda words: uuid.UUID(*words)),
    pathlib.PosixPath: (lambda v: [str(v)], lambda words: pathlib.PosixPath(*words)),
    pathlib.PurePosixPath: (lambda v: [str(v)], lambda words: pathlib.PurePosixPath(*words)),
    types.MappingProxyType: (_pairs, lambda words: types.MappingProxyType(_filled({}, words))),
    type({}.keys()): (list, lambda words: dict.fromkeys(words).keys()),
    type({}.values()): (list, lambda words: dict(enumerate(words)).values()),
    type({}.items()): (list, lambda words: dict(words).items()),
    type(...): (lambda _: [], lambda _: ...),
    type(NotImplemented): (lambda _: [], lambda _: NotImplemented),
    type: (lambda v: [v.__name__], lambda words: TYPES[words[0]]),
}
ZONES = frozenset({type(None), dt.timezone})
# Of some types not every value has its words: an offset is not all there is to a zone such as Paris, and a
# `defaultdict` may call a function of its own.
PARTLY: dict[type, Callable[[Any], bool]] = {
    type: lambda v: TYPES.get(v.__name__) is v,
    defaultdict: lambda v: v.default_factory in (None, *TYPES.values()),
    dt.time: lambda v: type(v.tzinfo) in ZONES,
    dt.datetime: lambda v: type(v.tzinfo) in ZONES,
}
MAKERS = {kind.__name__: maker for kind, (_, maker) in TABLE.items()}


def is_plain(value: Any) -> bool:  # noqa: ANN401  # anything
    """Whether a value crosses as what it is."""
    kind = type(value)
    return kind in TABLE and (kind not in PARTLY or PARTLY[kind](value))


def tree(value: Any, other: Other, written: dict[int, int] | None = None) -> Tree:  # noqa: ANN401  # that is the trade
    """Return a value as a tree; `written` are the containers in it so far, by identity, and their order."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if not is_plain(value):
        return other(value)
    written = {} if written is None else written
    if id(value) in written:
        return (AGAIN, written[id(value)])
    words = [tree(word, other, written) for word in TABLE[kind][0](value)]
    if kind in CHANGING:
        written[id(value)] = len(written)
    return (kind.__name__, words)


def built(node: Any, special: Special, made: list[object] | None = None) -> Any:  # noqa: ANN401  # as above
    """Return the value that a tree describes; `made` are the containers in it so far, in order."""
    if type(node) in ATOMS:
        return node
    tag, words = node
    made = [] if made is None else made
    if type(words) is int and tag == AGAIN:
        return made[words]
    if type(words) is not list:
        return special[tag](*words)
    value = MAKERS[tag]([built(word, special, made) for word in words])
    if type(value) in CHANGING:
        made.append(value)
    return value


def pack(message: tuple[Any, ...], other: Other) -> bytes:
    """Return a message as bytes."""
    try:
        return plain.dumps((False, message))
    except NotPlain:
        written: dict[int, int] = {}
        return plain.dumps((True, tuple(tree(part, other, written) for part in message)))


def unpack(body: bytes, special: Special) -> tuple[Any, ...]:
    """Return the message in some bytes; whatever is odd about them ends in Distrusted."""
    match plain.loads(body):
        case (False, tuple(message)):
            return message
        case (True, tuple(nodes)):
            made: list[object] = []
            try:
                return tuple(built(node, special, made) for node in nodes)
            except Exception as error:  # whatever a maker thinks of words that no honest sender wrote
                raise Distrusted(f"no value: {error!r}") from error
    raise Distrusted("no message")


def refill(container: Any, content: Any) -> None:  # noqa: ANN401  # two values of one kind, whichever it is
    """Make a container hold what another one of its kind holds."""
    kind = type(container)
    if container is content:
        return
    if kind is not type(content):
        raise Distrusted(f"a {kind.__name__} cannot become a {type(content).__name__}")
    places = [*container], [*content]
    if kind in MAPPINGS and len(places[0]) == len(places[1]) and all(map(_is_same, *places)):
        for key, value in content.items():  # so that a loop over it goes on
            container[key] = value
    elif kind in {list, bytearray}:
        container[:] = content
    elif kind is deque and len(places[0]) == len(places[1]):
        for place, item in enumerate(content):
            container[place] = item
    elif kind is not set or container != content:
        container.clear()
        (container.update if kind in MAPPINGS | {set} else container.extend)(content)


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401  # two keys
    """Whether two keys are the same, without a question to what they may stand for."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one is other or (type(one) is type(other) and type(one) in ATOMS and one == other)
