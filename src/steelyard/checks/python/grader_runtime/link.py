"""Let two processes use each other's objects: ask, and while waiting for the answer, be asked.

Both sides run this code, but only one believes what it is told: the answer's side believes the grader.
"""

import importlib
import sys
from _thread import RLock  # the module around it does work in every fork
from collections.abc import Callable
from typing import Any

from steelyard.checks.python.grader_runtime import plain, standard
from steelyard.checks.python.grader_runtime.containers import Watch, containers, refill
from steelyard.checks.python.grader_runtime.exceptions import Exceptions
from steelyard.checks.python.grader_runtime.exports import Exports
from steelyard.checks.python.grader_runtime.permissions import Permissions
from steelyard.checks.python.grader_runtime.plain import Distrusted, NotPlain
from steelyard.checks.python.grader_runtime.remote import Remotes
from steelyard.checks.python.grader_runtime.values import Reader, Writer
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

Handler = Callable[..., object]
RETURNED, RAISED = "returned", "raised"
REPLIES = frozenset({RETURNED, RAISED})


class Link:
    """One end of the line between the grader and the answer.

    With `permissions` this end is the grader's: it trusts nobody, and its objects are used as they say.
    """

    def __init__(self, wire: Wire, *, permissions: Permissions | None = None) -> None:
        self._wire = wire
        self._permissions = permissions
        self._lock = RLock()
        self.exports = Exports()
        self.exceptions = Exceptions()
        trusted = permissions.trusted if permissions else frozenset[str]()
        self.remotes = Remotes(self, trusted=trusted, is_strict=permissions is not None)
        self.handlers: dict[str, Handler] = {}
        self.printed: Callable[[], str] = str  # what the program here has printed since it was asked last
        self.alive: Callable[[], bool] = lambda: True  # False in a copy of this process, which has no say
        self.is_gone = False

    # Asking.

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the other side has
        """Ask the other process for something; return what it returns or raise what it raises."""
        with self._lock:
            known = containers(message[1:])
            try:
                self._send(message)
                return self._reply(known)
            except (Gone, Distrusted) as error:
                self.is_gone = True
                raise Gone(str(error)) from error

    def _reply(self, known: list[Any]) -> object:
        while True:
            kind, *parts = self._receive(known)
            if kind in REPLIES:
                return _outcome(kind, parts, known)
            self._serve(kind, parts)

    # Being asked.

    def serve(self) -> None:
        """Do what the other process asks, until it is gone."""
        try:
            while True:
                kind, *parts = self._receive([])
                with self._lock:
                    self._serve(kind, parts)
        except Gone:
            self.is_gone = True

    def _serve(self, kind: str, parts: list[Any]) -> None:
        watch = Watch(tuple(parts))
        try:
            answer: tuple[str, object] = (RETURNED, self._do(kind, parts))
        except (Gone, Distrusted):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the other side's to handle
            answer = (RAISED, _without_cycle(error))
        if not self.alive():
            raise Gone("a copy of the process that was asked")
        try:
            self._answer(answer, watch)
        except (TypeError, ValueError, AttributeError, RecursionError, AssertionError) as error:
            # Something that cannot be written down; the other side is told so instead.
            self._answer((RAISED, TypeError(f"cannot be handed over: {error}")), Watch(()))

    def _do(self, kind: str, parts: list[Any]) -> object:
        if kind in self.handlers:
            return self.handlers[kind](*parts)
        number, *rest = parts
        thing: Any = self.exports.thing(number)
        if self._permissions:
            self._permissions.demand(kind, thing, rest)
        match kind, rest:
            case "get", [name]:
                return getattr(thing, name)
            case "set", [name, value]:
                setattr(thing, name, value)
                return None
            case "del", [name]:
                delattr(thing, name)
                return None
            case "special", ["__call__", arguments, named]:
                return thing(*arguments, **named)
            case "special", [name, arguments, named]:
                return getattr(type(thing), name)(thing, *arguments, **named)
        raise Distrusted(f"asks for {kind}")

    def _answer(self, answer: tuple[str, object], watch: Watch) -> None:
        kind, value = answer
        printed, changed, numbers = self.printed(), watch.changed(), watch.numbers()
        is_fresh = not changed and numbers.keys().isdisjoint(map(id, containers(value) if numbers else ()))
        if is_fresh and self._sent((kind, value, [], printed)):
            return
        writer = Writer(self, numbers)
        changes = [(place, writer.write(watch.known[place], afresh=True)) for place in changed]
        self._wire.send(plain.dumps((True, (kind, writer.write(value), changes, printed))))

    # Messages: as they are, if they are plain, or else as trees.

    def _send(self, message: tuple[Any, ...]) -> None:
        if not self._sent(message):
            writer = Writer(self)
            self._wire.send(plain.dumps((True, tuple(writer.write(part) for part in message))))

    def _sent(self, message: tuple[Any, ...]) -> bool:
        """Send a message as it is, if it is plain; whether it was."""
        try:
            body = plain.dumps((False, message))
        except NotPlain:
            return False
        self._wire.send(body)
        return True

    def _receive(self, known: list[Any]) -> tuple[Any, ...]:
        message = plain.loads(self._wire.receive())
        match message:
            case (False, tuple(parts)) if parts:
                return parts
            case (True, (str(kind), value, list(changes), str(printed))) if kind in REPLIES:
                reader = Reader(self, known)
                contents = [(place, reader.read(content)) for place, content in changes]
                return kind, reader.read(value), contents, printed
            case (True, tuple(parts)) if parts:
                reader = Reader(self, known)
                return tuple(reader.read(part) for part in parts)
        raise Distrusted("no message")

    # What travels by name, and what is run where it is.

    def sends_by_name(self, value: object) -> bool:
        """Whether a class or function is sent by its name: what the other side trusts and has."""
        if self._permissions is None:
            return isinstance(value, type) and standard.HARMLESS.get(value.__name__) is value
        return (isinstance(value, type) or callable(value)) and standard.is_of_library(value)

    def named(self, module: str, name: str) -> object:
        """Return the class or function with a name; the grader knows only harmless ones."""
        if module == "builtins":
            if name in standard.HARMLESS:
                return standard.HARMLESS[name]
            found = getattr(importlib.import_module("builtins"), name, None)
            if isinstance(found, type) and issubclass(found, BaseException):
                return found
        if self._permissions is not None:
            raise Distrusted(f"{module}.{name} by name")
        thing: object = importlib.import_module(module)
        for part in name.split("."):
            thing = getattr(thing, part)
        return thing

    def demand_alive(self) -> None:
        """Raise Gone if the other process is no more."""
        if self.is_gone:
            raise Gone("the answer's process has ended")

    async def awaited(self, number: int) -> object:
        """Wait for a coroutine of the other process, which runs to its end over there."""
        return self.request("await", number)


def _outcome(kind: str, parts: list[Any], known: list[Any]) -> object:
    """Return or raise what a reply says, after what it says has become of the containers it was given."""
    match parts:
        case [value, list(changes), str(printed)]:
            pass
        case _:
            raise Distrusted("no reply")
    for change in changes:
        match change:
            case (int(place), content) if 0 <= place < len(known):
                refill(known[place], content)
            case _:
                raise Distrusted("no change")
    sys.stdout.write(printed)
    if kind == RETURNED:
        return value
    if not isinstance(value, BaseException):
        raise Distrusted("raised something that is no exception")
    raise value


def _without_cycle(error: BaseException) -> BaseException:
    """Return an exception that holds nothing of the calls it went through."""
    return error.with_traceback(None)
