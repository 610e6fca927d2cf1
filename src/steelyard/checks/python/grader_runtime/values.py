"""Write any value as a tree of plain ones, and read it back: by value if it is plain, by number if not."""

import types
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from steelyard.checks.python.grader_runtime import standard
from steelyard.checks.python.grader_runtime.exceptions import Exceptions
from steelyard.checks.python.grader_runtime.exports import Exports
from steelyard.checks.python.grader_runtime.plain import ATOMS, Distrusted
from steelyard.checks.python.grader_runtime.remote import Remote, Remotes, handle_of

Node = object  # an atom, or a tuple of a tag and what the tag wants

EXACT: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
BASES: dict[type, Callable[[Any], object]] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    list: lambda value: [*list.__iter__(value)],
    tuple: lambda value: (*tuple.__iter__(value),),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: {*set.__iter__(value)},
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}


class ValueLine(Protocol):
    """The end of a line between two processes, and what is known there."""

    exports: Exports
    exceptions: Exceptions
    remotes: Remotes

    def sends_by_name(self, value: object) -> bool:
        """Whether a class or function is sent by its name."""

    def named(self, module: str, name: str) -> object:
        """Return the class or function with a name."""

    def awaited(self, number: int) -> Coroutine[object, object, object]:
        """Return what waits for a coroutine of the other process."""


class Writer:
    """Writes the values of one message; `known` are containers that the reader has, by identity."""

    def __init__(self, link: ValueLine, known: dict[int, int] | None = None) -> None:
        self._link = link
        self._known = known or {}
        self._places: dict[int, int] = {}
        self._alive: list[object] = []  # an identity is worth something as long as its object lives

    def write(self, value: Any, *, afresh: bool = False) -> Node:  # noqa: ANN401  # that is the trade
        """Return a value as a tree; `afresh` writes out even a container that the reader has."""
        kind = type(value)
        if kind in ATOMS:
            return value
        if id(value) in self._known and not afresh:
            return ("known", self._known[id(value)])
        if id(value) in self._places:
            return ("again", self._places[id(value)])
        if kind in EXACT or kind is dict or kind in standard.FILLED:
            return self._container(value, kind)
        if kind in standard.STANDARD:
            return (
                "std",
                standard.NAMES[kind],
                [self.write(word) for word in standard.STANDARD[kind][0](value)],
            )
        return self._other(value, kind)

    def _container(self, value: Any, kind: type) -> Node:  # noqa: ANN401  # as above
        place = self._places[id(value)] = len(self._places)
        self._alive.append(value)
        if kind in EXACT:
            return (EXACT[kind], place, [self.write(item) for item in value])
        if kind is dict:
            return ("dict", place, [(self.write(key), self.write(item)) for key, item in value.items()])
        words = [self.write(word) for word in standard.STANDARD[kind][0](value)]
        return ("filled", place, standard.NAMES[kind], words)

    def _other(self, value: Any, kind: type) -> Node:  # noqa: ANN401  # as above
        if getattr(kind, "__getattr__", None) is Remote.__getattr__:
            return ("yours", handle_of(value))
        if isinstance(value, BaseException):
            return self._exception(value)
        if isinstance(value, type) and issubclass(value, BaseException):
            return self._exception_class(value)
        if self._link.sends_by_name(value):
            return ("name", value.__module__, value.__qualname__)
        return self._thing(value, kind)

    def _thing(self, value: Any, kind: type) -> Node:  # noqa: ANN401  # as above
        """Write what stays here: under its number, with what is plain about it."""
        constant = next((name for name, item in standard.CONSTANTS.items() if value is item), None)
        if constant is not None:
            return ("constant", constant)
        number = self._link.exports.number(value)
        if kind is types.CoroutineType:
            return ("awaited", number)
        for base, plainly in BASES.items():
            if issubclass(kind, base):  # not isinstance, to which an object may lie
                return ("more", number, self._kind(kind), base.__name__, self.write(plainly(value)))
        return ("mine", number, self._kind(kind))

    def _kind(self, kind: type) -> Node:
        return (self._link.exports.number(kind), str(kind.__name__), self._link.exports.dunders(kind))

    def _exception(self, error: BaseException) -> Node:
        attributes = {name: item for name, item in vars(error).items() if not name.startswith("_")}
        return (
            "raised",
            self._exception_class(type(error)),
            self.write(tuple(error.args)),
            str(error),
            self.write(attributes),
        )

    def _exception_class(self, kind: type[BaseException]) -> Node:
        if kind.__module__ == "builtins":
            return ("name", "builtins", kind.__qualname__)
        bases = [self._exception_class(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        number = self._link.exports.number(kind)
        return ("exception", number, str(kind.__module__), str(kind.__qualname__), bases)


class Reader:
    """Reads the values of one message; `known` are our own containers, by their place."""

    def __init__(self, link: ValueLine, known: list[Any] | None = None) -> None:
        self._link = link
        self._known = known or []
        self._places: dict[int, object] = {}

    def read(self, node: Any) -> Any:  # noqa: ANN401  # that is the trade
        """Return the value that a tree describes."""
        if type(node) in ATOMS:
            return node
        if type(node) is not tuple or not node or type(node[0]) is not str:
            raise Distrusted(f"no value: {type(node).__name__}")
        method = getattr(self, f"_read_{node[0]}", None)
        if method is None:
            raise Distrusted(f"no value: {node[0]}")
        try:
            return method(*node[1:])
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            raise Distrusted(f"no value: {error}") from error

    def _read_list(self, place: int, items: list[Node]) -> list[object]:
        made: list[object] = []
        self._places[place] = made
        made.extend(self.read(item) for item in items)
        return made

    def _read_dict(self, place: int, items: list[tuple[Node, Node]]) -> dict[object, object]:
        made: dict[object, object] = {}
        self._places[place] = made
        for key, item in items:
            made[self.read(key)] = self.read(item)
        return made

    def _read_set(self, place: int, items: list[Node]) -> set[object]:
        made: set[object] = set()
        self._places[place] = made
        made.update(self.read(item) for item in items)
        return made

    def _read_tuple(self, place: int, items: list[Node]) -> tuple[object, ...]:
        made = self._places[place] = tuple(self.read(item) for item in items)
        return made

    def _read_frozenset(self, place: int, items: list[Node]) -> frozenset[object]:
        made = self._places[place] = frozenset(self.read(item) for item in items)
        return made

    def _read_filled(self, place: int, name: str, words: list[Node]) -> object:
        made = self._places[place] = standard.BY_NAME[name]()
        standard.fill(made, [self.read(word) for word in words])
        return made

    def _read_std(self, name: str, words: list[Node]) -> object:
        return standard.made(name, [self.read(word) for word in words])

    def _read_again(self, place: int) -> object:
        return self._places[place]

    def _read_known(self, place: int) -> object:
        return self._known[place]

    def _read_yours(self, number: int) -> object:
        return self._link.exports.thing(number)

    def _read_constant(self, name: str) -> object:
        return standard.CONSTANTS[name]

    def _read_name(self, module: str, name: str) -> object:
        return self._link.named(module, name)

    def _read_mine(self, number: int, kind: tuple[int, str, list[str]]) -> object:
        return self._link.remotes.stand_in(number, kind)

    def _read_more(self, number: int, kind: tuple[int, str, list[str]], base: str, value: Node) -> object:
        return self._link.remotes.plain_with_more(number, kind, base, self.read(value))

    def _read_awaited(self, number: int) -> object:
        return self._link.awaited(number)

    def _read_exception(self, number: int, module: str, name: str, bases: list[Node]) -> type[BaseException]:
        return self._link.exceptions.kind(number, module, name, [self.read(base) for base in bases])

    def _read_raised(self, kind: Node, arguments: Node, text: str, attributes: Node) -> BaseException:
        return self._link.exceptions.made(self.read(kind), self.read(arguments), text, self.read(attributes))
