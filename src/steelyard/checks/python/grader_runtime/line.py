"""The grader's end of the line: ask the answer's process, believe nothing, hand out nothing but values.

While it works on a request the answer's process may call a plain function that a test handed over. There is
no message by which it could name or use anything else here.
"""

import datetime as dt
import operator
import sys
import traceback
import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from io import IOBase
from typing import Any, TextIO

from steelyard.checks.python.grader_runtime import errors
from steelyard.checks.python.grader_runtime.collect import TESTS, assertion_lines
from steelyard.checks.python.grader_runtime.crossing import (
    SMALL,
    Incoming,
    Iterators,
    containers,
    holds_one,
    iterators,
    parts,
    settled,
)
from steelyard.checks.python.grader_runtime.handles import (
    FAILURES,
    NUMBER,
    Handles,
    is_handle,
    refuse,
)
from steelyard.checks.python.grader_runtime.plain import ATOMS, Distrusted
from steelyard.checks.python.grader_runtime.values import (
    Special,
    Tree,
    built,
    pack,
    tree,
    unpack,
)
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

LITTLE = frozenset({"<lambda>", "<genexpr>"})  # a small function within an assertion may be there to fail
DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType)
FORMATS = (str.format, str.format_map)
FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    type(cache(len)),
    operator.itemgetter,
    operator.attrgetter,
    operator.methodcaller,
    partial,
)


class GraderLine:
    """What the grader knows of the answer's process, and has handed to it."""

    def __init__(self, wire: Wire, sources: Mapping[str, str]) -> None:
        self._wire = wire
        self._assertions = cache(lambda file: assertion_lines(sources[file]) if file in sources else ())
        self._handed_over: list[Any] = []  # functions, and objects without anything in them
        self._errors = errors.AnswerErrors(self)
        self._received = Incoming()
        self._iterators = Iterators()
        self._made_with = dict[int, bytes]()  # what that of each iterator looks like; nothing if it is large
        self._of_module = dict[str, tuple[object, bytes]]()  # what tests got from it, and how that looked
        self.is_gone = False
        self.module = -1  # the number of the answer's module, once it is loaded
        self.asked = 0
        self.is_counting = True  # whether an assertion that holds now is one of the test that runs
        self._first = 0  # of what the test that runs has handed over
        self._special: Special = {
            "handle": Handles(self).handle,
            "kind": self._named_kind,
            "error": self._error,
            "mine": partial(_item, self._handed_over),
        }
        self._kinds = {**self._special, "kind": self._kind}  # of what is raised, and its bases

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the answer has
        """Ask the answer's process for something; return what it returns or raise what it raises."""
        self.demand_alive()
        self.asked += message[0] != "held"
        self._demand_as_given(message)
        body = self._packed(message)
        try:
            self._wire.send(body)
            value, raised = self._reply(message)
            self._look_at_module(message, value)
        except (Gone, Exception) as error:  # whatever comes of reading what no honest answer sends
            self.is_gone = True
            raise Gone(str(error)) from error
        if isinstance(raised, StopIteration) and message[2:3] != ("__next__",):
            # Anywhere but in `next` it would end a `map` of the tests early, before they have compared.
            refuse("the answer raised StopIteration; to expect that")
        if raised is not None:
            raise raised
        return value

    def begin_test(self) -> None:
        """Take what is handed over from now on for that of another test."""
        self._first, self.is_counting = len(self._handed_over), True

    def demand_alive(self) -> None:
        """Raise Gone if the answer's process is no more."""
        if self.is_gone:
            raise Gone("the answer's process has ended")

    def _reply(self, message: tuple[Any, ...]) -> tuple[object, BaseException | None]:
        """Return what was returned, or raised; do what the answer may ask for in between."""
        given = self._iterators.given_by(message)
        olds: list[Any] | None = None
        while True:
            match unpack(self._wire.receive(), self._special):
                case (kind, value, list(news), list(numbers), list(later), printed):
                    self._take(later, printed)
                    if news:
                        value = self._settled(
                            message, value, news, containers(given) if olds is None else olds
                        )
                    if kind == "raised" and isinstance(value, BaseException):
                        return None, value
                    if kind != "returned":
                        raise Distrusted("no reply")
                    return self._watched(message, value, given, numbers), None
                case ("callback", place, tuple(arguments), dict(named), list(numbers), list(later), printed):
                    self._take(later, printed)
                    olds = containers(given) if olds is None else olds  # the tests may change them now
                    self.asked += 1  # it may have changed what it holds
                    words = self._received.received((*arguments, *named.values()), numbers)
                    act = partial(self._called, _item(self._handed_over, place), words, [*named])
                    self._serve(act, is_counting=self.is_counting and place >= self._first)
                case _:
                    raise Distrusted("no reply")

    def _demand_as_given(self, message: tuple[Any, ...]) -> None:
        """Fail a test that has changed what the answer goes on with: there it is as it was."""
        before = self._made_with.get(message[1], b"") if message[2:3] == ("__next__",) else b""
        if before and before != _looks(self._iterators.given_by(message)):
            refuse("what an iterator was made with was changed while it goes on")
        for name, (thing, looks) in self._of_module.items():
            if looks != _looks(thing):
                refuse(
                    f"the tests changed their copy of {name} (set a new value in the answer's module instead)"
                )

    def _look_at_module(self, message: tuple[Any, ...], value: object) -> None:
        """Remember what may change and stands in the module; the answer may have changed it now."""
        if message[0] in {"get", "set"} and message[1] == self.module:
            self._of_module.pop(message[2], None)
            is_still = type(value) is not defaultdict  # to read one may add to it
            if message[0] == "get" and is_still and parts(value) and _small(_looks(value)):
                self._of_module[message[2]] = value, b""
        self._of_module.update({name: (one, _looks(one)) for name, (one, _) in self._of_module.items()})

    def _settled(self, message: tuple[Any, ...], value: object, news: list[Any], olds: list[Any]) -> object:
        """Let the tests see what a request has done to what they gave."""
        is_item = message[2:3] == ("__next__",)
        if is_item and [type(new) for new in news] != [type(old) for old in olds]:
            refuse("what an iterator was made with was changed while it goes on")
        return settled(value, news, olds)

    def _watched(
        self, message: tuple[Any, ...], value: object, given: tuple[Any, ...], numbers: list[int]
    ) -> object:
        """Return a value that may change later; remember what an iterator was made with."""
        made, is_item = _iterators(value), message[2:3] == ("__next__",)
        self._iterators.keep(made, given, _iterators(given))
        again = [message[1]] if is_item and self._made_with.get(message[1]) else []  # none that is large
        for number in (*again, *(one for one in made if one not in self._made_with)):
            self._made_with[number] = _small(_looks(self._iterators.given_by(("call", number, "__next__"))))
        is_watched = is_item or message[:2] == ("get", self.module)
        return self._received.received(value, numbers) if is_watched else value

    def _take(self, later: list[Any], printed: object) -> None:
        """Let the tests see what a call has printed, and what it has done to what crossed before."""
        for number, content in map(_pair, later):
            self._received.change(number, content)
        _print(printed)

    def _called(self, function: Callable[..., object], given: Any, names: list[str]) -> tuple[object, ...]:  # noqa: ANN401
        """Call a function of the tests; return also what it has done to its arguments."""
        olds = containers(given)
        before = self._packed(given) if olds else b""
        first = len(given) - len(names)
        value = function(*given[:first], **dict(zip(names, given[first:], strict=True)))
        is_news = olds and (holds_one(value, olds) or self._packed(given) != before)
        return value, olds if is_news else []

    def _serve(self, act: Callable[[], tuple[object, ...]], *, is_counting: bool) -> None:
        """Do what the answer's process may ask for, and say what came of it."""
        before, self.is_counting = self.is_counting, is_counting
        try:
            body = self._packed(("done", *act()))
        except (Gone, Distrusted):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the answer's to handle
            if self._fails_a_test(error):
                FAILURES.append(error)  # the answer may catch it, and the test has failed
            body = self._packed(("failed", error))
        finally:
            self.is_counting = before
        self._wire.send(body)

    # Writing what a test hands over.

    def _packed(self, message: tuple[Any, ...]) -> bytes:
        try:
            return pack(message, self._other)
        except RecursionError:
            refuse("a value that is nested too deeply, or within itself, cannot be handed over")

    def _other(self, value: Any) -> Tree:  # noqa: ANN401, PLR0911  # whatever a test hands over; a table of kinds
        if is_handle(value):
            return ("yours", (object.__getattribute__(value, NUMBER),))
        if isinstance(value, errors.StandIn | BaseException) and NUMBER in vars(value):
            return ("yours", (vars(value)[NUMBER],))
        if isinstance(value, DESCRIPTORS) and is_of_library(value.__objclass__):
            # Called here, `str.format` would show the answer whatever a text of its own names.
            return ("name", (value.__objclass__.__module__, value.__qualname__))
        if is_of_library(value):
            return ("name", (value.__module__, value.__qualname__))
        if isinstance(value, FUNCTIONS):
            return self._function(value)
        if isinstance(value, Iterator) and not _is_more(type(value)):
            return ("iterator", (self._number(value.__next__),))
        if isinstance(value, BaseException):
            return self._thrown(value)
        if type(value) is object:
            return ("mine", (self._number(value),))
        if isinstance(value, dt.datetime | dt.time):
            refuse(f"a time in the zone {value.tzinfo} cannot be handed over")
        named = f"class {value.__name__}" if isinstance(value, type) else type(value).__name__
        return refuse(f"a {named} of the tests cannot be handed over")

    def _function(self, function: Any) -> Tree:  # noqa: ANN401  # one of several kinds
        attributes = {name for name in getattr(function, "__dict__", ()) if not name.startswith("__")}
        if attributes - {"cache_parameters"}:  # which `functools.cache` leaves
            refuse("a function of the tests with attributes cannot be handed over")
        if isinstance(function, partial) and any(function.func is one for one in FORMATS):
            refuse("str.format cannot be handed over")
        if _is_test(function):
            refuse("a test cannot be handed over: the answer would decide what becomes of it")
        name = str(getattr(function, "__name__", "function"))
        return ("callback", (self._number(function), name, getattr(function, "__doc__", None)))

    def _thrown(self, error: BaseException) -> Tree:
        """Return an exception of the tests; the answer has no other classes than those of the library."""
        kind = next(kind for kind in type(error).__mro__ if NUMBER in vars(kind) or is_of_library(kind))
        arguments = tree(tuple(errors.words(error)), self._other)
        return ("thrown", (self._number(error), tree(kind, self._other), arguments))

    def _number(self, thing: object) -> int:
        if thing not in self._handed_over:
            self._handed_over.append(thing)
        return self._handed_over.index(thing)

    # Reading what the answer sends.

    def _named_kind(self, number: int, module: str, name: str, bases: list[Tree]) -> object:
        """Return an exception class to which the answer has given a name; no failure is caught by it."""
        kind = self._kind(number, module, name, bases)
        if isinstance(kind, type) and issubclass(AssertionError, kind):
            refuse(f"{kind.__name__} under a name of the answer's own")
        return kind

    def _kind(self, number: int, module: str, name: str, bases: list[Tree]) -> object:
        return self._errors.kind(number, module, name, [built(base, self._kinds) for base in bases])

    def _error(self, number: int, kind: Tree, arguments: Tree, about: tuple[Any, Any, Any]) -> BaseException:
        text, attributes, causes = about
        error = errors.remade(_error_kind(built(kind, self._kinds)), tuple(built(arguments, self._special)))
        named = {name: value for name, value in attributes.items() if not name.startswith("_")}
        vars(error).update({**named, errors.TEXT: text, NUMBER: number})
        for name in named.keys() & errors.members(type(error)).keys():
            with suppress(AttributeError, TypeError):  # some cannot be set, such as that of a group
                setattr(error, name, named[name])
        for cause in causes:
            error.__cause__ = built(cause, self._special)
        return error

    def _fails_a_test(self, error: BaseException) -> bool:
        """Whether an exception says that a test fails: whatever an assertion of the tests has raised does."""
        if isinstance(error, AssertionError) and not errors.is_of_answer(error):
            return True
        is_other = isinstance(error, Exception) or is_of_library(type(error)) or errors.is_of_answer(error)
        return (
            not is_other
            or errors.tells_a_runner(type(error))
            or any(
                line in self._assertions(frame.f_code.co_filename)
                for frame, line in traceback.walk_tb(error.__traceback__)
                if frame.f_code.co_name not in LITTLE
            )
        )


def _looks(value: object) -> bytes:
    """Return a value as bytes, to see whether it changes; what is not plain in it is what it is."""
    try:
        return pack((value,), lambda thing: ("one", (id(thing),)))
    except RecursionError:
        return b""  # within itself: such a one is not compared


def _small(looks: bytes) -> bytes:
    """Return what is to be compared with each request; nothing if that would take long."""
    return looks if len(looks) <= SMALL else b""


def _iterators(value: object) -> list[int]:
    """Return the numbers of the answer's iterators in a value."""
    return [object.__getattribute__(one, NUMBER) for one in iterators(value) if is_handle(one)]


def _item(handed_over: list[Any], place: object) -> Any:  # noqa: ANN401  # an argument or a function
    if type(place) is not int or not 0 <= place < len(handed_over):
        raise Distrusted("speaks of what was never handed over")
    return handed_over[place]


def _pair(change: object) -> tuple[Any, object]:
    match change:
        case (int(place), content):
            return place, content
    raise Distrusted("no change")


def _print(printed: object) -> None:
    match printed:
        case (str(out), str(err)):
            _write(sys.stdout, out)
            _write(sys.stderr, err)
        case _:
            raise Distrusted("printed no text")


def _write(stream: TextIO, text: str) -> None:
    if text:
        stream.write(text.encode("utf-8", "replace").decode())


def _error_kind(kind: object) -> type[BaseException]:
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        raise Distrusted("raised something that is no exception")
    return kind


def _is_more(kind: type) -> bool:
    """Whether an iterator has more to it than its items, as a file and many a class of the tests have."""
    if kind.__module__.partition(".")[0] in sys.stdlib_module_names:
        return issubclass(kind, IOBase)
    return any(not name.startswith("_") for name in dir(kind))


def _is_test(function: object) -> bool:
    """Whether a function is a test, or a method that is one."""
    name = getattr(function, "__qualname__", "")
    is_ours = getattr(function, "__module__", None) == TESTS and "<locals>" not in name
    return is_ours and name.rpartition(".")[2].startswith("test")


def is_of_library(thing: Any) -> bool:  # noqa: ANN401  # anything
    """Whether a class or function is the standard library's, found there under its own name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or type(thing) in ATOMS:
        return False
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return False
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is thing
