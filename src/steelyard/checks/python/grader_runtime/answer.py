"""Be the process that holds the answer: load it, and do with it what the grader asks.

Nothing in here is worth stealing: no test, no expected value, no key has ever been in this process.
Whatever the answer does to it, all it can reach is the line to the grader, on which it is expected to lie.
"""

import datetime as dt
import importlib
import os
import sys
import types
from _thread import RLock  # the module around it does work in every fork
from collections.abc import Callable
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime.crossing import Outgoing
from steelyard.checks.python.grader_runtime.errors import remade, words
from steelyard.checks.python.grader_runtime.handles import DUNDERS, HOLDS, NeedsShared, tells_of_plain
from steelyard.checks.python.grader_runtime.plain import ATOMS
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.streams import STDERR, STDOUT, taken
from steelyard.checks.python.grader_runtime.values import (
    CHANGING,
    Special,
    Tree,
    built,
    pack,
    refill,
    tree,
    unpack,
)
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

LONGEST_CHAIN = 8  # exceptions, each raised from the next; a parser may have one for each level
PLAINLY: dict[str, Callable[[Any], object]] = {  # as the value is, whatever a class makes of it
    "int": int.__int__,
    "float": float.__float__,
    "complex": complex.__pos__,
    "str": str.__str__,
    "bytes": lambda value: bytes.__getitem__(value, slice(None)),
    "tuple": lambda value: (*tuple.__iter__(value),),
    "frozenset": lambda value: frozenset(frozenset.__iter__(value)),
    "list": lambda value: [*list.__iter__(value)],
    "dict": lambda value: dict(dict.items(value)),
    "set": lambda value: {*set.__iter__(value)},
}
MAY_CHANGE = CHANGING | {tuple}
NUMBERS = ("int", "float", "complex", "str", "bytes")


def new_module(name: str) -> types.ModuleType:
    """Return an empty module as if it came from a file of this folder: some code asks where it stands.

    >>> str(new_module("solution").__file__).endswith("/solution.py")
    True
    """
    module = types.ModuleType(name)
    module.__file__ = os.path.abspath(f"{name}.py")  # noqa: PTH100  # pathlib is slow to load
    return module


def compiled(source: str, name: str) -> types.CodeType | str:
    """Return an answer as code, or what is wrong with it."""
    try:
        return compile(source, f"{name}.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


class AnswerLine:
    """The answer's end of the line: does what the grader asks, which it trusts."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._owner = os.getpid()
        self._lock = RLock()  # for threads of the answer that call a function of the tests
        self._code: Any = None
        self._module = new_module("solution")
        self._things: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._classes: dict[int, tuple[object, ...]] = {}  # what the grader must know of them
        self._given: dict[int, object] = {}  # what the tests handed over, by their numbers
        self._sent = Outgoing(self._bytes)
        self._special: Special = {
            "yours": lambda number: self._things[number],
            "callback": self._function,
            "iterator": self._iterator,
            "name": _named,
            "thrown": self._thrown,
            "mine": lambda number: self._given.setdefault(number, object()),
        }

    def serve(self) -> None:
        """Do what the grader asks, until it is gone."""
        while True:
            with self._lock:
                message = unpack(self._wire.receive(), self._special)
            self._perform(*message)

    def _ask(self, number: int, arguments: Any, named: Any) -> Any:  # noqa: ANN401  # whatever it returns
        """Ask the grader to call a function of the tests; do what it asks in between."""
        given = (*arguments, *named.values())
        with self._lock:
            numbers = self._sent.numbered(given)
            call = ("callback", number, arguments, named, numbers, self._sent.changes(), taken())
            self._wire.send(pack(call, self._other))
            while True:
                match unpack(self._wire.receive(), self._special):
                    case ("done", value, same, changed):
                        for place, content in changed:
                            refill(given[place], content)
                        self._sent.changes()  # what the tests have changed, they need not hear
                        return value if same is None else given[same]
                    case ("failed", error):
                        raise error
                    case request:
                        self._perform(*request)

    def _perform(self, operation: str, *rest: Any) -> None:  # noqa: ANN401  # whatever the tests hand over
        given = [*rest[2], *rest[3].values()] if operation == "call" else []
        before = [self._bytes(argument) for argument in given]
        try:
            kind, value = "returned", getattr(self, f"_{operation}")(*rest)
        except Gone:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the tests' to handle
            kind, value = "raised", error
        if os.getpid() != self._owner:
            raise Gone("a copy of the process that was asked")
        try:
            body = self._answer(kind, value, given, before, is_item=rest[1:2] == ("__next__",))
        except Exception as error:  # noqa: BLE001  # something that cannot be written down
            odd = NeedsShared(f"{type(error).__name__} where a value of the answer is written down")
            body = pack(("raised", odd, None, [], [], [], taken()), self._other)
        with self._lock:
            self._wire.send(body)

    def _answer(
        self, kind: str, value: object, given: list[Any], before: list[bytes], *, is_item: bool
    ) -> bytes:
        """Return a reply: what came of a call, which argument that is, and what has changed."""
        now = [(place, one, self._bytes(one)) for place, one in enumerate(given)]
        changed = [(place, one) for place, one, written in now if written != before[place]]
        same = next((place for place, one, written in now if written and one is value), None)
        watched = value if is_item else tuple(given) if isinstance(value, types.GeneratorType) else None
        numbers = self._sent.numbered(watched)
        whole = value if same is None else None
        return pack((kind, whole, same, changed, numbers, self._sent.changes(), taken()), self._other)

    def _bytes(self, value: object) -> bytes:
        """Return a container as bytes, to see whether it changes; nothing for what cannot."""
        return pack((value,), self._other) if type(value) in MAY_CHANGE else b""

    # What the grader may ask for.

    def _compile(self, source: str, name: str) -> str | None:
        self._module = new_module(name)
        self._code = compiled(source, name)
        return self._code if isinstance(self._code, str) else None

    def _load(self) -> list[object]:
        # Not before: what compiles a text may import, and must find nothing of the answer's.
        sys.path.insert(0, os.getcwd())  # noqa: PTH109  # pathlib is slow to load
        sys.modules[self._module.__name__] = self._module
        exec(self._code, self._module.__dict__)  # noqa: S102  # that is what we are here for
        return [self._number(self._module), [str(name) for name in vars(self._module)]]

    def _get(self, number: int, name: str) -> object:
        return getattr(self._things[number], name)

    def _set(self, number: int, name: str, value: object) -> None:
        setattr(self._things[number], name, value)

    def _del(self, number: int, name: str) -> None:
        delattr(self._things[number], name)

    def _call(self, number: int, name: str, arguments: Any, named: Any) -> object:  # noqa: ANN401
        thing = self._things[number]
        if name == "__call__":
            return thing(*arguments, **named)
        return getattr(type(thing), name)(thing, *arguments, **named)

    def _held(self, number: int) -> object:
        return PLAINLY[_base(type(self._things[number]))](self._things[number])

    # Writing what the answer returns or raises, and reading what the tests hand over.

    def _number(self, thing: object) -> int:
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)
        return self._numbers[id(thing)]

    def _other(self, value: Any) -> Tree:  # noqa: ANN401  # whatever the answer has
        kind = type(value)
        if kind is dt.datetime:  # in a zone that is more than an offset; the tests see the same moment
            return (kind.__name__, [value.isoformat()])
        if kind is object or issubclass(kind, BaseException | types.FunctionType):
            for place, given in self._given.items():
                if given is value and (kind is object or vars(value).keys() <= {"__signature__"}):
                    return ("mine", (place,))
        if issubclass(kind, BaseException):
            return self._error(value)
        if issubclass(kind, type) and issubclass(value, BaseException):
            return self._exception_class(value)
        base = _base(kind)
        if base in NUMBERS and kind.__module__ != self._module.__name__:  # such as a float of numpy
            return PLAINLY[base](value)
        number = self._number(kind)
        if number not in self._classes:
            self._classes[number] = (_text(kind.__name__), *methods_of(kind, self._module.__name__), base)
        return ("handle", (self._number(value), number, self._classes[number]))

    def _error(self, error: BaseException, length: int = 0) -> Tree:
        error.__traceback__ = None
        causes = []  # none, or what it was raised from, be it None
        if error.__suppress_context__ and length < LONGEST_CHAIN:
            causes = [error.__cause__ and self._error(error.__cause__, length + 1)]
        kind, arguments = self._exception_class(type(error)), tree(tuple(words(error)), self._other)
        attributes = {name: item for name, item in vars(error).items() if type(item) in ATOMS}
        return ("error", (self._number(error), kind, arguments, (_text(error), attributes, causes)))

    def _exception_class(self, kind: type[BaseException]) -> Tree:
        bases = [self._exception_class(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        return ("kind", (self._number(kind), _text(kind.__module__), _text(kind.__qualname__), bases))

    def _function(self, number: int, name: str, about: str | None) -> object:
        def function(*arguments: object, **named: object) -> object:
            return self._ask(number, arguments, named)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = about
        vars(function)["__signature__"] = NoSignature()
        return self._given.setdefault(number, function)

    def _thrown(self, number: int, kind: Tree, words: Tree) -> object:
        """Return what stands for an exception of the tests, which they know when it comes back."""
        made = remade(built(kind, self._special), built(words, self._special))
        return self._given.setdefault(number, made)

    def _iterator(self, number: int) -> object:
        """Return an iterator of the tests: each item is asked for when it is wanted."""

        def items() -> Any:  # noqa: ANN401  # a generator
            while True:
                try:
                    yield self._ask(number, (), {})
                except StopIteration:
                    return

        if number not in self._given:
            self._given[number] = items()
        return self._given[number]


class NoSignature:
    """Stands where `inspect` looks for the parameters of a function; the tests keep those of theirs."""

    def __repr__(self) -> NoReturn:
        raise NeedsShared("the signature of a function of the tests")


def _base(kind: type) -> str:
    """Return the plain type from which a class is made; nothing if there is none."""
    return next((name for name, base in HOLDS.items() if issubclass(kind, base)), "")


def methods_of(kind: type, home: str) -> tuple[list[str], list[str]]:
    """Return the special methods of a class, and what a class of a module defines anew of a plain type's.

    >>> tin = type("Tin", (tuple,), {"__add__": max, "count": 3, "top": 4, "__module__": "solution"})
    >>> "__len__" in methods_of(tin, "solution")[0], methods_of(tin, "solution")[1]
    (True, ['__add__', 'count'])
    """
    plain = HOLDS.get(_base(kind), object)
    found: dict[str, object] = {}
    own: set[str] = set()
    for base in reversed(kind.__mro__):
        if base is not object:
            found |= {name: item for name, item in vars(base).items() if name in DUNDERS}
            own = own | vars(base).keys() if base.__module__ == home else own - vars(base).keys()
    names = sorted(name for name, item in found.items() if item is not None)
    return names, sorted(name for name in own.intersection(dir(plain)) if tells_of_plain(name))


def _text(thing: object) -> str:
    """Return the text of something as a plain one, whatever subclass of `str` it is."""
    return str.__str__(str(thing))


def _named(module: str, name: str) -> object:
    thing: object = importlib.import_module(module)
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def be_answer(reading: int, writing: int) -> NoReturn:
    """Serve the grader until it is gone."""
    _settle(reading, writing)
    sys.stdout, sys.stderr = STDOUT, STDERR
    try:
        AnswerLine(Wire(reading, writing)).serve()
    finally:
        os._exit(0)


def _settle(reading: int, writing: int) -> None:
    """Keep the line to the grader and the two outputs, and close everything else that was inherited."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    keep = sorted({1, 2, reading, writing})
    for low, high in zip([0, *keep], [*keep, 1 << 16], strict=True):
        os.closerange(low + 1, high)
    set_readable(readable=True)
    sys.argv = ["solution.py"]
