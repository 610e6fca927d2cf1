"""Make up messages that a hostile answer might send to the Python grader.

Most are well-formed, fit what was asked, and lie: they are what gets deep into the grader. The others are
bytes of chance, good messages with bytes changed, and messages with values, tags and numbers of chance.
"""

import random

from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.handles import ALONE, BETWEEN, DUNDERS, HOLDS, TEXTS
from steelyard.checks.python.grader_runtime.values import CHANGING, MAKERS

SPECIAL = ("handle", "kind", "error", "mine", "again", "yours", "name", "callback", "iterator", "thrown")
TAGS = (*MAKERS, *SPECIAL)
KINDS = ("returned", "raised", "callback", "get", "call", "done", "failed", "held", "load")
NAMES = sorted(DUNDERS)
BASES = ("", "", "", *HOLDS)
ERRORS = (
    *(("builtins", name) for name in ("KeyError", "ValueError", "StopIteration", "OSError", "SystemExit")),
    *(("builtins", name) for name in ("Exception", "BaseException", "AssertionError", "KeyboardInterrupt")),
    *(("unittest.case", "SkipTest"), ("json.decoder", "JSONDecodeError"), ("solution", "Odd")),
)
WORDS = (
    *("builtins", "unittest.case", "unittest.mock", "json.decoder", "SkipTest", "ANY", "KeyError", "int"),
    *("tuple", "list", "dict", "str", "object", "type", "Stack", "__class__", "x", "", "\ud800", "a\x00b"),
    *("2024-02-29", "1e9", "BaseException", "SystemExit", "KeyboardInterrupt", "Exit", *NAMES),
)
COUNTS = frozenset({"__len__", "__hash__", "__int__", "__index__", "__length_hint__"})
TRUTHS = frozenset({"__bool__", "__instancecheck__", "__subclasscheck__"})
WELL_FORMED = 90  # percent of all messages
CONTAINERS = frozenset(kind.__name__ for kind in CHANGING)
NO_TREE: object = ("list", [])
Node = object  # a tree of `values`


class MessageMaker:
    """Makes messages up; equal seeds make equal messages."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)
        self._kept: dict[int, str] = {}  # containers with numbers that this line has had so far
        self._bases: dict[int, str] = {}  # the plain types of its objects, by their numbers
        self._classes: dict[int, str] = {}  # and of their classes
        self._honest = [_tree(self._odd(depth)) for depth in (1, 2, 3) for _ in range(20)]

    def begin(self) -> None:
        """Begin with another line, which knows nothing yet."""
        for known in (self._kept, self._bases, self._classes):
            known.clear()

    def body(self, operation: str, number: int, name: str) -> bytes:
        """Return the bytes of one message, as a reply to what was asked for, and of which object."""
        if self._chance(WELL_FORMED):
            return _tree(self._reply(operation, number, name))
        match self._luck.randrange(4):
            case 0:
                return self._luck.randbytes(self._luck.randrange(60))
            case 1:
                return self._changed(bytearray(self._luck.choice(self._honest)))
            case 2:
                return plain.dumps((False, self._odd(0)))
        return _tree(self._odd(self._luck.randrange(4)))

    # Messages that can be read.

    def _reply(self, operation: str, number: int, name: str) -> tuple[Node, ...]:
        later, printed = self._later(), ("tuple", [self._word(("", "", "said")), self._word(("", "oops"))])
        is_first = (number, name) == (0, "__call__")
        changed = self._list_changes() if is_first else NO_TREE
        match self._luck.randrange(10):
            case 0:
                return ("raised", self._error(2), changed, NO_TREE, later, printed)
            case 1 | 2 if self._luck.randrange(2):
                given = ("tuple", [self._value(2)])
                return ("callback", 0, given, ("dict", []), self._numbers(given), later, printed)
        if is_first and self._chance(8):
            return ("returned", self._plain("list", 0), ("list", [("again", 0)]), NO_TREE, later, printed)
        value = self._fitting(operation, number, name) if self._chance(70) else self._value(3)
        is_watched = name == "__next__" or (operation, number) == ("get", 0)
        return (
            "returned",
            value,
            changed,
            self._numbers(value) if is_watched else NO_TREE,
            later,
            printed,
        )

    def _fitting(self, operation: str, number: int, name: str) -> Node:
        """Return a value of the kind that was asked for."""
        luck = self._luck
        if operation == "held":
            return self._plain(self._bases.get(number) or "list", 2)
        if name == "Error":
            return self._kind()
        if name in TEXTS:
            return self._word(WORDS[:16])
        if name in COUNTS:
            return luck.randrange(3)
        if name in BETWEEN | TRUTHS:
            return self._chance(90)
        return self._handle(["__next__", "__iter__"]) if name == "__iter__" else self._value(3)

    def _numbers(self, value: Node) -> Node:
        """Return numbers for containers of a value, as an honest end would, or old ones of the same kind."""
        numbers = []
        for kind in _parts(value)[: self._luck.randrange(4)]:
            known = [number for number, one in self._kept.items() if one == kind]
            number = self._luck.choice(known) if known and self._chance(40) else len(self._kept) + 1
            self._kept[number] = kind
            numbers.append(number)
        return ("list", [*numbers])

    def _later(self) -> Node:
        """Return what became of containers that have numbers; mostly nothing."""
        if not self._kept or self._chance(75):
            return NO_TREE
        number = self._luck.choice(tuple(self._kept))
        return ("list", [("tuple", [number, self._plain(self._kept[number], 1)])])

    def _list_changes(self) -> Node:
        """Return what became of the list that is handed over first."""
        return ("list", [self._plain("list", 2)]) if self._chance(20) else NO_TREE

    def _value(self, depth: int) -> Node:
        """Return a tree that can be read, of an object that may well lie."""
        match self._luck.randrange(10):
            case 0 | 1 | 2 | 3 | 4:
                return self._handle([])
            case 5 | 6:
                return self._plain(self._luck.choice(("list", "tuple", "dict", "set", "deque")), depth)
            case 7:
                return self._error(depth)
            case 8:
                return self._kind()
        return self._atom()

    def _handle(self, needed: list[str]) -> Node:
        luck = self._luck
        number, kind = luck.randrange(1, 99), luck.randrange(99)
        base = self._classes.setdefault(kind, luck.choice(BASES))
        self._bases.setdefault(number, base)
        more = luck.choice((["__eq__"], [*ALONE], ["__eq__", "__hash__"], []))
        dunders = sorted({*needed, *more, *luck.sample(NAMES, luck.randrange(9))})
        own = sorted(luck.sample([*NAMES, "count", "keys", "x"], luck.choice((0, 0, luck.randrange(9)))))
        about = (luck.choice(("Yes", "Stack")), dunders, own, base)
        return ("handle", (number, kind, about))

    def _plain(self, kind: str, depth: int) -> Node:
        luck = self._luck
        within = [self._value(depth - 1) for _ in range(luck.randrange(3))] if depth > 0 else []
        atoms: dict[str, Node] = {"int": luck.randrange(9), "float": 2.5, "str": "x", "bytes": b"x"}
        match kind:
            case "int" | "float" | "str" | "bytes":
                return atoms[kind]
            case "complex":
                return ("complex", [1.0, 2.0])
            case "set" | "frozenset":
                return (kind, [luck.randrange(9) for _ in within])
            case "dict" | "OrderedDict":
                return (kind, [part for value in within for part in (luck.choice((1, "a", 3.5)), value)])
            case "deque":
                return ("deque", [None, *within])
        return (kind, within)

    def _kind(self) -> Node:
        module, name = self._luck.choice(ERRORS)
        bases: list[Node] = [("kind", (300, "builtins", self._luck.choice(("KeyError", "Exception")), []))]
        return ("kind", (self._luck.randrange(200, 230), module, name, bases))

    def _error(self, depth: int) -> Node:
        luck = self._luck
        within = [self._value(depth - 1) for _ in range(luck.randrange(2))] if depth > 0 else []
        attributes = {luck.choice(("code", "__cause__", "args", "value")): self._atom()}
        causes: list[Node] = [self._error(depth - 1)] if depth > 0 and self._chance(20) else []
        about = (self._word(WORDS), attributes, causes)
        return ("error", (luck.randrange(99), self._kind(), ("tuple", within), about))

    def _atom(self) -> Node:
        luck = self._luck
        return luck.choice((None, True, 0, 1, -1, 3.5, b"x", 10**30, luck.randrange(9), luck.choice(WORDS)))

    def _word(self, words: tuple[str, ...]) -> str:
        return self._luck.choice(words)

    def _chance(self, percent: int) -> bool:
        return self._luck.randrange(100) < percent

    # Messages that no honest end would send.

    def _changed(self, body: bytearray) -> bytes:
        for _ in range(self._luck.randint(1, 4)):
            place = self._luck.randrange(len(body))
            match self._luck.randrange(3):
                case 0:
                    body[place] = self._luck.randrange(256)
                case 1:
                    del body[place : place + self._luck.randrange(4)]
                case 2:
                    body[place:place] = self._luck.randbytes(self._luck.randrange(4))
            if not body:
                break
        return bytes(body)

    def _odd(self, depth: int) -> tuple[Node, ...]:
        """Return a good message with parts of chance; a plain one if it is not to be deep."""
        reply = self._reply("call", 0, "__call__") if depth else _PLAIN
        parts = [*reply]
        for _ in range(self._luck.randint(1, 2)):
            parts[self._luck.randrange(len(parts))] = self._node(depth)
        match self._luck.randrange(4):
            case 0:
                return tuple(self._node(depth) for _ in range(self._luck.randrange(9)))
            case 1:
                return (self._luck.choice(KINDS), *parts[1:])
        return tuple(parts)

    def _node(self, depth: int) -> Node:
        if depth <= 0 or self._chance(20):
            return self._luck.choice(([], [self._atom()], [(self._atom(), [])], self._atom(), self._atom()))
        if self._chance(40):
            return self._broken(self._value(depth))
        words = [self._node(depth - 1) for _ in range(self._luck.randrange(4))]
        return (self._luck.choice(TAGS), words if self._chance(80) else tuple(words))

    def _broken(self, node: Node) -> Node:
        """Return a tree with another word in the place of one of its own."""
        match node:
            case (tag, [*words]) if words and self._chance(80):
                words[self._luck.randrange(len(words))] = self._node(1)
                return (tag, words if isinstance(node[1], list) else tuple(words))
        return node


_PLAIN: tuple[Node, ...] = ("returned", 1, [], [], [], ("", ""))


def _tree(message: tuple[Node, ...]) -> bytes:
    return plain.dumps((True, message))


def _parts(node: Node) -> list[str]:
    """Return the kinds of the containers in a tree that are watched: it itself, or those within a tuple."""
    match node:
        case ("tuple", [*within]):
            return [part for member in within for part in _parts(member)]
        case (str(tag), _) if tag in CONTAINERS:
            return [tag]
    return []
