"""Be the process that holds the answer: load it, and do with it what the grader asks.

Nothing in here is worth stealing: no test, no expected value, no key has ever been in this process.
Whatever the answer does to it, all it can reach is the line to the grader, on which it is expected to lie.
"""

import builtins
import datetime as dt
import importlib
import io
import os
import sys
import types
from _thread import RLock  # the module around it does work in every fork
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime.crossing import LAZY, Outgoing, parts
from steelyard.checks.python.grader_runtime.errors import CAUSE, remade, words
from steelyard.checks.python.grader_runtime.handles import (
    DUNDERS,
    FIELDS,
    UNCHANGING,
    UNHASHABLE,
    NeedsShared,
)
from steelyard.checks.python.grader_runtime.plain import ATOMS
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.streams import PRINTED, STDOUT, AskedLines
from steelyard.checks.python.grader_runtime.values import Special, Tree, built, pack, refill, tree, unpack
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

MOST_CAUSES = 8  # of an exception, one of another; a parser may have one for each level
PLAINLY: dict[type, Callable[[Any], object]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    tuple: lambda value: (*tuple.__iter__(value),),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    list: lambda value: [*list.__iter__(value)],
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: {*set.__iter__(value)},
    type({}.keys()): set,
    types.MappingProxyType: dict,
}


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
        self._runner: Any = None  # of coroutines
        self._causes = 0  # of an exception that is being written
        self._module = new_module("solution")
        self._things: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._functions: dict[int, object] = {}
        self._dunders: dict[type, list[str]] = {}
        self._asking = 0  # functions of the tests that are at work for the answer
        self._sent = Outgoing(self._bytes)
        self._special: Special = {
            "yours": lambda number: self._things[number],
            "callback": self._function,
            "iterator": lambda number: self._functions.setdefault(number, TestIterator(self, number)),
            "name": _named,
            "error": lambda kind, words: remade(built(kind, self._special), built(words, self._special)),
            "mine": lambda number: self._functions.setdefault(number, object()),
        }

    def serve(self) -> None:
        """Do what the grader asks, until it is gone."""
        while True:
            with self._lock:
                message = unpack(self._wire.receive(), self._special)
            self._perform(*message)

    def ask(self, *message: Any) -> Any:  # noqa: ANN401  # whatever a function of the tests returns
        """Ask the grader to call a function of the tests, or for a line of input."""
        with self._lock:
            self._wire.send(pack((*message, PRINTED.take()), self._other))
            self._asking += 1
            try:
                return self._told()
            finally:
                self._asking -= 1

    def _told(self) -> Any:  # noqa: ANN401  # as above
        """Do what the grader asks in between, until it has what it was asked for."""
        while True:
            match unpack(self._wire.receive(), self._special):
                case ("done", value):
                    return value
                case ("failed", error):
                    raise error
                case request:
                    self._perform(*request)

    def _perform(self, operation: str, *rest: Any) -> None:  # noqa: ANN401  # whatever the tests hand over
        given = [*rest[2], *rest[3].values()] if operation == "do" else []
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
            if kind == "returned" and _is_item(operation, *rest[1:2]):
                body = self._item(value, is_awaited=operation == "await")
            else:
                body = self._answer(kind, value, given, before)
        except Exception as error:  # noqa: BLE001  # something that cannot be written down
            odd = TypeError(f"cannot be handed over: {error!r}")
            body = pack(("raised", odd, None, [], PRINTED.take()), self._other)
        with self._lock:
            self._wire.send(body)

    def _item(self, value: object, *, is_awaited: bool) -> bytes:
        """Return a reply with what was waited for, or an item of an iterator: it may have crossed before."""
        changed = self._sent.changes() if is_awaited else []
        return pack(("returned", value, self._sent.numbered(value), changed, PRINTED.take()), self._other)

    def _answer(self, kind: str, value: object, given: list[Any], before: list[bytes]) -> bytes:
        """Return a reply: what came of a call, which argument that is, and what it has changed."""
        places = [place for place, was in enumerate(before) if was]
        same: Any = next((place for place in places if given[place] is value and not _is_marked(value)), None)
        changed = [
            (place, given[place])
            for place in places
            if type(given[place]) is not types.FunctionType and self._bytes(given[place]) != before[place]
        ]
        if not self._asking:  # or else with the reply to the call that is around this one
            changed += self._sent.changes()
        if type(value).__name__ in LAZY:
            same = self._sent.numbered((*given,))
        elif not self._asking:
            self._sent.forget()
        whole = None if type(same) is int else value
        return pack((kind, whole, same, changed, PRINTED.take()), self._other)

    def _bytes(self, value: object) -> bytes:
        """Return a container as bytes, to see whether it changes; nothing for what cannot."""
        return b"" if type(value) in ATOMS else pack((value,), self._other)

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
        return [self._module, [str(name) for name in vars(self._module)]]

    def _get(self, number: int, name: str) -> object:
        return getattr(self._things[number], name)

    def _set(self, number: int, name: str, value: object) -> None:
        setattr(self._things[number], name, value)

    def _del(self, number: int, name: str) -> None:
        delattr(self._things[number], name)

    def _do(self, number: int, name: str, arguments: Any, named: Any) -> object:  # noqa: ANN401
        thing = self._things[number]
        if name == "__call__":
            return thing(*arguments, **named)
        return getattr(type(thing), name)(thing, *arguments, **named)

    def _held(self, number: int) -> object:
        thing = self._things[number]
        return next(plainly(thing) for base, plainly in PLAINLY.items() if issubclass(type(thing), base))

    def _await(self, number: int) -> object:
        return self._finished(self._things[number])

    def _anext(self, number: int) -> object:
        return self._finished(anext(self._things[number]))

    def _finished(self, awaitable: Awaitable[object]) -> object:
        """Return what comes of waiting, in one loop for all: what one await starts, another may end."""

        async def finished() -> object:
            return await awaitable

        if self._runner is None:  # loaded when it is wanted: it takes longer than most checks
            self._runner = importlib.import_module("asyncio").Runner()
        return self._runner.run(finished())

    # Writing what the answer returns or raises, and reading what the tests hand over.

    def _number(self, thing: object) -> int:
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)
        return self._numbers[id(thing)]

    def _other(self, value: Any) -> Tree:  # noqa: ANN401, PLR0911  # whatever the answer has; a table of kinds
        kind = type(value)
        if kind is dt.datetime:  # in a zone that is more than an offset; the tests see the same moment
            return (kind.__name__, [value.isoformat()])
        if issubclass(kind, BaseException):
            return self._error(value)
        if issubclass(kind, type) and issubclass(value, BaseException):
            return self._exception_class(value)
        if kind is object or (kind is types.FunctionType and not _is_marked(value)):
            for place, given in self._functions.items():
                if given is value:
                    return ("mine", (place,))
        number = self._number(value)
        if issubclass(kind, types.CoroutineType):
            return ("awaitable", (number,))
        base = next((base for base in PLAINLY if issubclass(kind, base)), None)
        about = (number, self._number(kind), _text(kind.__name__))
        if kind not in self._dunders:
            self._dunders[kind] = dunders_of(kind)
        if base is not None and base.__name__ in UNCHANGING:
            names = (*self._dunders[kind], *FIELDS)
            own = [name for name in names if vars(base).get(name) is not getattr(kind, name, None)]
            return ("more", (*about, own, tree(PLAINLY[base](value), self._other)))
        return ("handle", (*about, self._dunders[kind], base.__name__ if base else ""))

    def _error(self, error: BaseException) -> Tree:
        error.__traceback__ = None
        attributes = {name: item for name, item in vars(error).items() if not name.startswith("_")}
        if error.__suppress_context__ and self._causes < MOST_CAUSES:  # raised from another, or from None
            attributes[CAUSE] = error.__cause__
        kind, arguments = self._exception_class(type(error)), tree(tuple(words(error)), self._other)
        self._causes += 1
        try:
            named = tree(attributes, self._other)
        finally:
            self._causes -= 1
        return ("error", (self._number(error), kind, arguments, _text(error), named))

    def _exception_class(self, kind: type[BaseException]) -> Tree:
        bases = [self._exception_class(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        return ("kind", (self._number(kind), _text(kind.__module__), _text(kind.__qualname__), bases))

    def _function(self, number: int, name: str, about: str | None) -> object:
        def function(*arguments: object, **named: object) -> object:
            given = (arguments, (*named.values(),))
            value, changed = self.ask("callback", number, arguments, named, self._sent.numbered(given))
            for place, content in changed:
                refill(parts(given)[place], content)
            self._sent.known(given)  # what the tests have changed, they need not hear
            return value

        function.__name__ = function.__qualname__ = name
        function.__doc__ = about
        vars(function)["__signature__"] = NoSignature()
        return self._functions.setdefault(number, function)


def _is_marked(value: object) -> bool:
    """Whether it is a function to which the answer has given attributes, which that of the tests lacks."""
    return type(value) is types.FunctionType and not vars(value).keys() <= {"__signature__"}


def _is_item(operation: str, name: object = None) -> bool:
    """Whether a request is for an item of an iterator, or for what was waited for."""
    return operation in {"anext", "await"} or (operation == "do" and name == "__next__")


class NoSignature:
    """Stands where `inspect` looks for the parameters of a function; the tests keep those of theirs."""

    def __repr__(self) -> NoReturn:
        raise NeedsShared("the signature of a function of the tests")


class TestIterator:
    """An iterator of the tests: each item is asked for when it is wanted."""

    __test__ = False  # for pytest, which would take this class for tests because of its name

    def __init__(self, line: AnswerLine, number: int) -> None:
        self._line = line
        self._number = number

    def __iter__(self) -> "TestIterator":
        return self

    def __next__(self) -> object:
        return self._line.ask("callback", self._number, (), {}, [])[0]


def dunders_of(kind: type) -> list[str]:
    """Return the special methods that a class has of its own, not merely as every object has them.

    >>> dunders_of(type("Tin", (), {"__len__": lambda self: 3}))
    ['__len__']
    """
    own: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        if base is not object:
            own.update({name: item for name, item in vars(base).items() if name in DUNDERS})
    names = sorted(name for name, item in own.items() if item is not None)
    return names if own.get("__hash__", True) is not None else [*names, UNHASHABLE]


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
    line = AnswerLine(Wire(reading, writing))
    sys.stdin = io.TextIOWrapper(io.BufferedReader(AskedLines(line.ask)), encoding="utf-8")
    sys.stdout = STDOUT
    builtins.input = lambda prompt="", /: line.ask("input", str(prompt))
    try:
        line.serve()
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
