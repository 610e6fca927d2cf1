"""Be the process that holds the answer: load it, and do with it what the grader asks.

Nothing in here is worth stealing: no test, no expected value, no key has ever been in this process.
Whatever the answer does to it, all it can reach is the line to the grader, on which it is expected to lie.
"""

import datetime as dt
import importlib
import operator
import os
import sys
import types
from _thread import RLock  # the module around it does work in every fork
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import getpid  # which tests may replace in its module
from random import seed
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime.crossing import (
    SMALL,
    Iterators,
    Outgoing,
    containers,
    holds_one,
    iterators,
    settled,
)
from steelyard.checks.python.grader_runtime.errors import members, remade, words
from steelyard.checks.python.grader_runtime.handles import (
    BETWEEN,
    DUNDERS,
    HOLDS,
    MISSING,
    NeedsShared,
    tells_of_plain,
)
from steelyard.checks.python.grader_runtime.plain import ATOMS
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.streams import STDERR, STDOUT, taken
from steelyard.checks.python.grader_runtime.unsaid import NoAnnotations, NoSignature
from steelyard.checks.python.grader_runtime.values import (
    Special,
    Tree,
    built,
    pack,
    tree,
    unpack,
)
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

DEEPER = 5000  # calls: what the line needs of the stack is not the answer's
PER_CALL = 20  # calls of ours, for each function of the tests that the answer calls within another
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
    "OrderedDict": lambda value: OrderedDict(OrderedDict.items(value)),
    "dict": lambda value: dict(dict.items(value)),
    "set": lambda value: {*set.__iter__(value)},
}
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
        self._owner = getpid()
        self._folder = os.getcwd()  # noqa: PTH109  # pathlib is slow to load
        self._lock = RLock()  # for threads of the answer that call a function of the tests
        self._code: Any = None
        self._module = new_module("solution")
        self._things: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._classes: dict[int, tuple[object, ...]] = {}  # what the grader must know of them
        self._given: dict[int, object] = {}  # what the tests handed over, by their numbers
        self._sent = Outgoing(self._bytes)
        self._iterators = Iterators()
        self._large = set[int]()  # iterators made with too much to compare it with each item
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
            self._wire.send(self._pack(call))
            with _deeper(PER_CALL):
                return self._heard(containers(given))

    def _heard(self, olds: list[Any]) -> Any:  # noqa: ANN401  # as above
        """Return or raise what came of a function of the tests; do what the grader asks in between."""
        interrupted: BaseException | None = None  # such as by an alarm, while the grader is at work
        while True:
            try:
                message = unpack(self._wire.receive(), self._special)
            except Gone:
                raise
            except BaseException as error:  # noqa: BLE001  # the answer's own, for the answer to handle
                interrupted = error
                continue
            match message:
                case ("done" | "failed", *_) if interrupted:
                    raise interrupted
                case ("done", value, news):
                    value = settled(value, news, olds) if news else value
                    self._sent.changes()  # what the tests have changed, they need not hear
                    return value
                case ("failed", error):
                    raise error
                case request:
                    self._perform(*request)

    def _perform(self, operation: str, *rest: Any) -> None:  # noqa: ANN401  # whatever the tests hand over
        given = self._iterators.given_by((operation, *rest))
        is_item = rest[1:2] == ("__next__",)
        olds = [] if is_item and rest[0] in self._large else containers(given)
        before = self._bytes(given) if olds else b""
        try:
            kind, value = "returned", getattr(self, f"_{operation}")(*rest)
        except Gone:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the tests' to handle
            kind, value = "raised", error
        if getpid() != self._owner:
            raise Gone("a copy of the process that was asked")
        try:
            changed = olds and (holds_one(value, olds) or self._bytes(given) != before)
            made, within = ([*map(self._number, iterators(one))] for one in (value, given))
            self._iterators.keep(made, given, within)
            if len(before) > SMALL or self._large.intersection(within):
                self._large.update(made)
            is_of_module = operation == "get" and self._things[rest[0]] is self._module
            body = self._answer(
                kind, value, olds if changed else [], value if is_item or is_of_module else None
            )
        except Exception as error:  # noqa: BLE001  # something that cannot be written down
            odd = NeedsShared(f"{type(error).__name__} where a value of the answer is written down")
            body = self._pack(("raised", odd, [], [], [], taken()))
        with self._lock:
            self._wire.send(body)

    def _answer(self, kind: str, value: object, news: list[Any], watched: object) -> bytes:
        """Return a reply: what came of a request, and what has changed."""
        numbers = self._sent.numbered(watched)
        return self._pack((kind, value, news, numbers, self._sent.changes(), taken()))

    def _bytes(self, value: object) -> bytes:
        """Return a container as bytes, to see whether it changes."""
        return self._pack((value,))

    def _pack(self, message: tuple[Any, ...]) -> bytes:
        with _deeper(DEEPER):
            return pack(message, self._other)

    # What the grader may ask for.

    def _compile(self, source: str, name: str) -> str | None:
        self._module = new_module(name)
        self._code = compiled(source, name)
        return self._code if isinstance(self._code, str) else None

    def _load(self) -> list[object]:
        # Not before: what compiles a text may import, and must find nothing of the answer's.
        sys.path.insert(0, self._folder)
        sys.modules[self._module.__name__] = self._module
        exec(self._code, self._module.__dict__)  # noqa: S102  # that is what we are here for
        return [self._number(self._module), [str(name) for name in vars(self._module)]]

    def _seed(self, *words: Any) -> None:  # noqa: ANN401  # as below
        seed(*words)

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
        if name in BETWEEN and hasattr(operator, name) and _is_of_narrower(arguments, type(thing)):
            return getattr(operator, name)(thing, *arguments)  # which asks the narrower class first
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
            mine = self._mine(value)
            if mine:
                return mine
        if issubclass(kind, BaseException):
            return self._error(value)
        if issubclass(kind, type) and issubclass(value, BaseException):
            return self._exception_class(value)
        base = _base(kind)
        if base in NUMBERS and not self._is_ours(kind.__module__):  # such as a float of numpy
            return PLAINLY[base](value)
        number = self._number(kind)
        if number not in self._classes:
            self._classes[number] = (_text(kind.__name__), *methods_of(kind, self._is_ours), base)
        return ("handle", (self._number(value), number, self._classes[number]))

    def _mine(self, value: Any) -> Tree:  # noqa: ANN401  # as above
        """Return what says that something is the tests' own, if it is, and still as they gave it."""
        is_bare = type(value) is object or vars(value).keys() <= {"__signature__"}
        places = [place for place, given in self._given.items() if given is value and is_bare]
        return ("mine", (places[0],)) if places else None

    def _is_ours(self, module: str) -> bool:
        """Whether a module is the answer, or another file that it brought."""
        file = getattr(sys.modules.get(module), "__file__", None) or ""
        return module == self._module.__name__ or file.startswith(f"{self._folder}/")

    def _error(self, error: BaseException, length: int = 0) -> Tree:
        BaseException.with_traceback(error, None)  # whatever its class makes of being changed
        causes = []  # none, or what it was raised from, be it None
        if error.__suppress_context__ and length < LONGEST_CHAIN:
            cause = error.__cause__
            causes = [cause if cause is None else self._mine(cause) or self._error(cause, length + 1)]
        kind, arguments = self._exception_class(type(error)), tree(tuple(words(error)), self._other)
        kept = {name: item.__get__(error) for name, item in members(type(error)).items()}
        said = {**{name: item for name, item in kept.items() if item is not None}, **vars(error)}
        attributes = {name: item for name, item in said.items() if type(item) in ATOMS}
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
        function.__annotations__ = NoAnnotations()
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
                    item = self._ask(number, (), {})
                except StopIteration:
                    return
                if (yield item) is not None:
                    raise NeedsShared("send to an iterator of the tests")

        if number not in self._given:
            self._given[number] = items()
        return self._given[number]


@contextmanager
def _deeper(calls: int) -> Iterator[None]:
    """Let calls go deeper for a while."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _is_of_narrower(others: tuple[object, ...], kind: type) -> bool:
    """Whether there is one operand, of a class made from this one."""
    return len(others) == 1 and type(others[0]) is not kind and issubclass(type(others[0]), kind)


def _base(kind: type) -> str:
    """Return the plain type from which a class is made; nothing if there is none."""
    return next((name for name, base in HOLDS.items() if issubclass(kind, base)), "")


def methods_of(kind: type, is_ours: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """Return the special methods of a class, and what it defines anew of a plain type's, or of `type`'s.

    `is_ours` says whether a module is the answer's: what the library makes of a plain type is plain.

    >>> tin = type("Tin", (tuple,), {"__add__": max, "count": 3, "top": 4, "__module__": "solution"})
    >>> "__len__" in methods_of(tin, "solution".__eq__)[0], methods_of(tin, "solution".__eq__)[1]
    (True, ['__add__', 'count'])
    """
    is_of_classes = issubclass(kind, type)
    plain = {*dir(HOLDS.get(_base(kind), object)), MISSING, *(DUNDERS if is_of_classes else ())}
    found: dict[str, object] = {}
    own: set[str] = set()
    for base in reversed(kind.__mro__[:-1]):
        found |= {name: item for name, item in vars(base).items() if name in DUNDERS}
        if is_ours(base.__module__) or (is_of_classes and base is not type):
            own |= vars(base).keys()
        else:
            own = (own - vars(base).keys()) | (vars(base).keys() & {MISSING})
    names = sorted(name for name, item in found.items() if item is not None)
    return names, sorted(name for name in own & plain if tells_of_plain(name))


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
