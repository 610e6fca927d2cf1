"""The grader's end of the line: ask the answer's process, believe nothing, hand out nothing but values.

While it works on a request the answer's process may ask for two things: to call a plain function that a test
handed over, and for a line of input. There is no message by which it could name or use anything else here.
"""

import io
import sys
import traceback
import types
from _thread import get_ident  # the module around it does work in every fork
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from steelyard.checks.python.grader_runtime import errors
from steelyard.checks.python.grader_runtime.collect import TESTS, TESTS_FILE, assertion_lines
from steelyard.checks.python.grader_runtime.crossing import Incoming, parts
from steelyard.checks.python.grader_runtime.handles import (
    NUMBER,
    REFUSED,
    Handles,
    NeedsShared,
    is_handle,
    refuse,
)
from steelyard.checks.python.grader_runtime.plain import ATOMS, Distrusted
from steelyard.checks.python.grader_runtime.values import Special, Tree, built, pack, refill, tree, unpack
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

SMALL = frozenset({"<lambda>", "<genexpr>"})
# What may end an iterator of the answer, and when.
ENDS: dict[str, type[Exception]] = {"__next__": StopIteration, "anext": StopAsyncIteration}
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, partial)


class GraderLine:
    """What the grader knows of the answer's process, and has handed to it."""

    def __init__(self, wire: Wire, named: frozenset[str] = frozenset(), tests: str = "") -> None:
        self._wire = wire
        self._assertions = cache(lambda: assertion_lines(tests))
        self._thread = get_ident()  # the only one that may ask: others would take turns, and never race
        self.refused: BaseException | None = None
        self._functions: list[Any] = []  # and objects without anything in them
        self._handles = Handles(self, named)
        self._errors = errors.AnswerErrors(self)
        self._received = Incoming()
        self.is_gone = False
        self.caught = 0  # exceptions of the tests that the answer may have swallowed
        self.is_serving = False  # whether a function of the tests is at work for the answer
        self._special: Special = {
            "handle": self._handles.handle,
            "more": self._more,
            "awaitable": self._awaitable,
            "kind": self._named_kind,
            "error": self._error,
            "mine": self._mine,
        }
        self._kinds = {**self._special, "kind": self._kind}  # of what is raised, and its bases

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the answer has
        """Ask the answer's process for something; return what it returns or raise what it raises."""
        if get_ident() != self._thread:
            self.refused = NeedsShared("the answer in more than one thread of the tests")
            raise self.refused
        self.demand_alive()
        body = self._packed(message)
        try:
            self._wire.send(body)
            return self._reply(_given(message))
        except (Gone, Distrusted) as error:
            self.is_gone = True
            raise Gone(str(error)) from error
        except (StopIteration, StopAsyncIteration) as error:
            if isinstance(error, ENDS.get(message[2] if message[0] == "do" else message[0], ())):
                raise
            # Anywhere else it would end a `map` of the tests early, before they have compared.
            refuse(f"the answer raised {type(error).__name__}; to expect that")

    def demand_alive(self) -> None:
        """Raise Gone if the answer's process is no more."""
        if self.is_gone:
            raise Gone("the answer's process has ended")

    def may_swallow(self, error: object) -> bool:
        """Whether an exception may end with a context manager of the answer; what follows is not reached."""
        self.caught += 1
        return not isinstance(error, BaseException) or not (
            isinstance(error, AssertionError) or self._fails_a_test(error)
        )

    def _reply(self, given: list[Any]) -> object:
        """Wait for the reply; a failure of a function of the tests that the answer caught is raised after it.

        Each request has its own: one within a function of the tests ends without touching those around it.
        """
        caught: BaseException | None = None
        while True:
            match unpack(self._wire.receive(), self._special):
                case ("returned", value, same, list(changed), str(printed)):
                    self._take(given, changed, printed)
                    if caught is not None:
                        raise caught
                    return self._returned(value, same, given)
                case ("raised", BaseException() as error, None, list(changed), str(printed)):
                    self._take(given, changed, printed)
                    raise caught if caught is not None else error
                case ("callback", number, tuple(arguments), dict(named), numbered, str(printed)):
                    _print(printed)
                    function = _item(self._functions, number)
                    words = self._received.received((arguments, (*named.values(),)), numbered)
                    failed = self._serve(partial(self._called, function, words, [*named]))
                    caught = caught or failed
                case ("input", str(prompt), str(printed)):
                    _print(printed)
                    failed = self._serve(partial(input, prompt))
                    caught = caught or failed
                case ("line", str(printed)):
                    _print(printed)
                    failed = self._serve(sys.stdin.readline)
                    caught = caught or failed
                case _:
                    raise Distrusted("no reply")

    def _returned(self, value: object, same: object, given: list[Any]) -> object:
        """Return what came of a request: an argument if it is one, and what crossed before as it was then."""
        if type(same) is not list:
            return value if same is None else _item(given, same)
        if parts(value):
            return self._received.received(value, same)
        self._received.received((*given,), same)  # of a generator or a coroutine, which may change them later
        return value

    def _take(self, given: list[Any], changed: list[Any], printed: str) -> None:
        """Let the tests see what a call has done to its arguments and to what crossed before, and printed."""
        for change in changed:
            match change:
                case (int(place), content) if place < 0:
                    self._received.change(-place, content)
                case (place, content):
                    refill(_item(given, place), content)
                case _:
                    raise Distrusted("no change")
        _print(printed)

    def _called(self, function: Callable[..., object], words: Any, names: list[str]) -> tuple[object, Any]:  # noqa: ANN401
        """Call a function of the tests; return also which of its arguments it has changed."""
        arguments, values = words
        given = parts(words)
        before = [self._packed((part,)) for part in given]
        value = function(*arguments, **dict(zip(names, values, strict=True)))
        now = enumerate(zip(given, before, strict=True))
        return value, [(place, part) for place, (part, was) in now if self._packed((part,)) != was]

    def _serve(self, act: Callable[[], object]) -> BaseException | None:
        """Do what the answer's process may ask for, and say what came of it; return a failure of a test."""
        failure, before = None, self.is_serving
        self.is_serving = True
        try:
            body = self._packed(("done", act()))
        except (Gone, Distrusted):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the answer's to handle
            failure = error if self._fails_a_test(error) else None
            self.caught += not isinstance(error, StopIteration)
            refused = len(REFUSED)
            try:
                body = self._packed(("failed", error))
            except (Exception, NeedsShared):  # noqa: BLE001  # a class of the tests, or something within it
                del REFUSED[refused:]
                said = str(NeedsShared(f"{type(error).__name__} of the tests through the answer"))
                body = self._packed(("failed", errors.remade(_known_kind(error), (said,))))
        finally:
            self.is_serving = before
        self._wire.send(body)
        return failure

    # Writing what a test hands over.

    def _packed(self, message: tuple[Any, ...]) -> bytes:
        try:
            return pack(message, self._other)
        except RecursionError:
            refuse("a value within itself cannot be handed over")

    def _other(self, value: Any) -> Tree:  # noqa: ANN401, PLR0911  # whatever a test hands over; a table of kinds
        if is_handle(value):
            return ("yours", (object.__getattribute__(value, NUMBER),))
        if isinstance(value, errors.StandIn | BaseException) and NUMBER in vars(value):
            return ("yours", (vars(value)[NUMBER],))
        if _is_of_library(value):
            return ("name", (value.__module__, value.__qualname__))
        if isinstance(value, FUNCTIONS):
            if any(not name.startswith("__") for name in getattr(value, "__dict__", ())):
                refuse("a function of the tests with attributes cannot be handed over")
            if _is_test(value):
                refuse("a test cannot be handed over: the answer would decide what becomes of it")
            name = str(getattr(value, "__name__", "function"))
            return ("callback", (self._function(value), name, getattr(value, "__doc__", None)))
        if isinstance(value, Iterator) and not isinstance(value, io.IOBase):  # a file is more than its lines
            return ("iterator", (self._function(value.__next__),))
        if isinstance(value, BaseException):
            return ("error", (tree(type(value), self._other), tree(errors.words(value), self._other)))
        if type(value) is object:
            return ("mine", (self._function(value),))
        return refuse(f"a {type(value).__name__} of the tests cannot be handed over")

    def _function(self, function: object) -> int:
        if function not in self._functions:
            self._functions.append(function)
        return self._functions.index(function)

    # Reading what the answer sends.

    def _more(self, number: int, kind: int, name: str, own: list[str], value: Tree) -> object:
        return self._handles.plain_with_more(number, kind, name, own, built(value, self._special))

    def _mine(self, number: int) -> object:
        """Return what a test handed over: a function, or an object without anything in it."""
        thing = _item(self._functions, number)
        if type(thing) is not object and not isinstance(thing, FUNCTIONS):
            raise Distrusted("speaks of an iterator as a value")
        return thing

    async def _awaitable(self, number: int) -> object:
        return self.request("await", number)

    def _named_kind(self, number: int, module: str, name: str, bases: list[Tree]) -> object:
        """Return an exception class to which the answer has given a name; no failure is caught by it."""
        kind = self._kind(number, module, name, bases)
        if isinstance(kind, type) and issubclass(AssertionError, kind):
            refuse(f"{kind.__name__} under a name of the answer's own")
        return kind

    def _kind(self, number: int, module: str, name: str, bases: list[Tree]) -> object:
        return self._errors.kind(number, module, name, [built(base, self._kinds) for base in bases])

    def _error(self, number: int, kind: Tree, arguments: Tree, text: str, attributes: Tree) -> BaseException:
        words, named = (built(node, self._special) for node in (arguments, attributes))
        return errors.made(built(kind, self._kinds), tuple(words), text, named, number)

    def _fails_a_test(self, error: BaseException) -> bool:
        """Whether an exception says that a test fails: whatever an assertion of the tests has raised does.

        A small function within an assertion stands on its line, and may be there to fail.
        """
        return _is_failure(error) or any(
            line in self._assertions()
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename == TESTS_FILE and frame.f_code.co_name not in SMALL
        )


def _is_failure(error: BaseException) -> bool:
    """Whether an exception of the tests is such as `AssertionError` or pytest's `Failed`.

    That is no `Exception`, so that nothing should catch it, but over there it has lost its class.
    """
    if errors.is_of_answer(error):
        return False
    is_other = isinstance(error, Exception) or _is_of_library(type(error))  # such as ValueError, SystemExit
    return isinstance(error, AssertionError) or not is_other


def _given(message: tuple[Any, ...]) -> list[Any]:
    """Return the arguments within a request, in an order that both processes know."""
    match message:
        case ("do", _, _, arguments, named):
            return [*arguments, *named.values()]
    return []


def _item(handed_over: list[Any], place: object) -> Any:  # noqa: ANN401  # an argument or a function
    if type(place) is not int or not 0 <= place < len(handed_over):
        raise Distrusted("speaks of what was never handed over")
    return handed_over[place]


def _print(printed: str) -> None:
    if printed:
        sys.stdout.write(printed.encode("utf-8", "replace").decode())


def _is_test(function: object) -> bool:
    """Whether a function is a test, or a method that is one."""
    name = getattr(function, "__qualname__", "")
    is_ours = getattr(function, "__module__", None) == TESTS and "<locals>" not in name
    return is_ours and name.rpartition(".")[2].startswith("test")


def _known_kind(error: BaseException) -> type[BaseException]:
    """Return the nearest class of an exception that the answer's process has as well."""
    return next(kind for kind in type(error).__mro__ if NUMBER in vars(kind) or _is_of_library(kind))


def _is_of_library(thing: Any) -> bool:  # noqa: ANN401  # anything
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
