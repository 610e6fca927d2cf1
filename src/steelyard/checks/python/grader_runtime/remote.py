"""Stand-ins for objects that live in the other process: whatever is done to them is done over there."""

from collections.abc import Callable
from typing import Any, Protocol
from weakref import WeakValueDictionary

from steelyard.checks.python.grader_runtime.dunders import ALL, EQUALITY, SHOWN_THE_OTHER, UNHASHABLE
from steelyard.checks.python.grader_runtime.plain import Distrusted

LINK, HANDLE = "_steelyard_link", "_steelyard_handle"
PLAIN_BASES: dict[str, type] = {
    kind.__name__: kind for kind in (int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
}


class Asking(Protocol):
    """Asks the other process for something."""

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the other side has
        """Return what the other process returns, or raise what it raises."""


class Remote:
    """An object of the other process; its class here has the special methods that its class there has."""

    __slots__ = (HANDLE, LINK, "__weakref__")

    def __getattr__(self, name: str) -> object:
        return link_of(self).request("get", handle_of(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        link_of(self).request("set", handle_of(self), name, value)

    def __delattr__(self, name: str) -> None:
        link_of(self).request("del", handle_of(self), name)

    def __repr__(self) -> str:
        return str(link_of(self).request("special", handle_of(self), "__repr__", (), {}))

    def __str__(self) -> str:
        return str(link_of(self).request("special", handle_of(self), "__str__", (), {}))


def handle_of(remote: object) -> int:
    """Return the number under which the other process knows an object."""
    handle: int = object.__getattribute__(remote, HANDLE)
    return handle


def link_of(remote: object) -> Asking:
    """Return the link to the process in which an object lives."""
    link: Asking = object.__getattribute__(remote, LINK)
    return link


def _forward(name: str) -> Callable[..., object]:
    """Return a method that lets the real object do it."""

    def method(self: object, *arguments: object, **named: object) -> object:
        return link_of(self).request("special", handle_of(self), name, arguments, named)

    return method


def _forward_among_themselves(name: str) -> Callable[..., object]:
    """Return a method that lets the real object do it if the other operand is of that process as well."""
    forward = _forward(name)

    def method(self: object, other: object, *more: object) -> object:
        return forward(self, other, *more) if isinstance(other, Remote) else NotImplemented

    return method


FORWARD = {name: _forward(name) for name in ALL}
GUARDED = {name: _forward_among_themselves(name) for name in SHOWN_THE_OTHER - {"__contains__"}}


class Remotes:
    """The stand-ins in use, one for each object; `is_strict` is for the side that trusts nobody."""

    def __init__(self, link: Asking, *, trusted: frozenset[str], is_strict: bool) -> None:
        self._link = link
        self._trusted = trusted
        self._is_strict = is_strict
        self._classes: dict[tuple[int, str], type] = {}
        self._objects: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def stand_in(self, handle: int, kind: tuple[int, str, list[str]]) -> object:
        """Return what stands for an object of a class with a number, a name and special methods."""
        known = self._objects.get(handle)
        if known is not None:
            return known
        made: object = object.__new__(self._class(kind))
        self._settle(made, handle)
        self._objects[handle] = made
        return made

    def plain_with_more(
        self,
        handle: int,
        kind: tuple[int, str, list[str]],
        base: str,
        value: Any,  # noqa: ANN401
    ) -> object:
        """Return a plain value with attributes over there, such as a named tuple; it compares as plain."""
        number, name, _ = kind
        parent = PLAIN_BASES.get(base)
        if parent is None or type(value) is not parent:
            raise Distrusted(f"no plain type: {base}")
        key = (number, base)
        if key not in self._classes:
            body = {"__getattr__": Remote.__getattr__}
            self._classes[key] = type(name, (parent,), body)
        kind_here = self._classes[key]
        made = kind_here(value) if parent in {list, dict, set} else parent.__new__(kind_here, value)
        self._settle(made, handle)
        return made

    def _settle(self, made: object, handle: int) -> None:
        object.__setattr__(made, HANDLE, handle)
        object.__setattr__(made, LINK, self._link)

    def _class(self, kind: tuple[int, str, list[str]]) -> type:
        number, name, dunders = kind
        key = (number, "")
        if key not in self._classes:
            self._classes[key] = type(name, (Remote,), {"__slots__": (), **self._methods(name, dunders)})
        return self._classes[key]

    def _methods(self, name: str, dunders: list[str]) -> dict[str, object]:
        methods: dict[str, object] = {"__hash__": Remote.__hash__}
        for dunder in dunders:
            if dunder == UNHASHABLE:
                methods["__hash__"] = None
            elif dunder in ALL:
                methods[dunder] = self._method(name, dunder)
        return {dunder: method for dunder, method in methods.items() if dunder == "__hash__" or method}

    def _method(self, name: str, dunder: str) -> object:
        """Return how to do one special method; None where it is not to be had."""
        guarded = EQUALITY if name in self._trusted else SHOWN_THE_OTHER
        if not self._is_strict or dunder not in guarded:
            return FORWARD[dunder]
        return GUARDED.get(dunder)
