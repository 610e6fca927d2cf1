"""Stand for objects of the answer in the grader: whatever is done to a handle is done over there.

An operator with two operands shows its object the other operand, which in a test is often the expected value.
An object that answers such an operator as it likes would be right whatever is expected, so these count only
between the answer's own objects: none equals or exceeds a plain value by its own word. `in` is a question to
an object whose class the tests name; every other one is looked through by iterating over it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, Protocol

from steelyard.checks.python.grader_runtime.wire import Gone

_ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
ABOUT_CLASSES = frozenset({"__instancecheck__", "__subclasscheck__"})
EQUALITY = frozenset({"__eq__", "__ne__"})
ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
GUARDED = EQUALITY | ORDER | {f"__{letter}{name}__" for name in _ARITHMETIC for letter in ("", "r", "i")}
ALONE = frozenset(
    {
        *("__call__", "__len__", "__iter__", "__next__", "__reversed__", "__bool__", "__hash__"),
        *("__getitem__", "__setitem__", "__delitem__", "__length_hint__", "__str__", "__repr__", "__dir__"),
        *("__enter__", "__aenter__", "__aiter__", "__format__", "__bytes__", "__fspath__"),
        *("__int__", "__float__", "__complex__", "__index__", "__round__", "__trunc__", "__floor__"),
        *("__ceil__", "__abs__", "__neg__", "__pos__", "__invert__"),
    }
)
OTHERS = frozenset({"__exit__", "__aexit__", "__await__", "__anext__"})
DESCRIPTORS = frozenset({"__get__", "__set__", "__set_name__"})  # which work inside a class
CONTAINS = "__contains__"
DUNDERS = ABOUT_CLASSES | GUARDED | ALONE | OTHERS | DESCRIPTORS | {CONTAINS}
UNHASHABLE = "no hash"
# Of a plain value with attributes: what tells its value, which is known here; what always asks the answer;
# and what asks it between two of its own only.
HELD = frozenset(
    {
        *("__hash__", "__len__", "__iter__", "__getitem__", "__reversed__", "__bool__"),
        *("__int__", "__float__", "__index__", "__bytes__", "__abs__"),
    }
)
FIELDS = frozenset({"count", "index"})  # methods of a tuple by whose names a named tuple may have fields
LIKE_A_HANDLE = ("__getattr__", "__setattr__", "__delattr__", "__repr__", "__str__", "__dir__")
BETWEEN_TWO = (GUARDED - EQUALITY) | {CONTAINS}
ASKED_FOR = frozenset({"__name__", "__qualname__", "__dict__", "__annotations__", "__slots__"})
LINE, NUMBER = "_steelyard_line", "_steelyard_number"
# Those of whose subclasses an instance is a plain value with attributes, such as a named tuple.
UNCHANGING: dict[str, type] = {kind.__name__: kind for kind in (int, float, str, bytes, tuple, frozenset)}


class NeedsShared(BaseException):
    """Tests do what takes one process. No test that expects an exception may take this for the answer's."""

    def __init__(self, what: str) -> None:
        super().__init__(f'{what}: the case needs isolation = "shared"')


REFUSED: list[NeedsShared] = []  # in the test that runs now: it fails even if it catches everything


def refuse(what: str) -> NoReturn:
    """Fail the test that does what takes one process."""
    REFUSED.append(NeedsShared(what))
    raise REFUSED[-1]


def demand_unrefused() -> None:
    """Raise again what was refused, if it was caught."""
    if REFUSED:
        raise REFUSED[0]


class Asked(Protocol):
    """Asks the answer's process for something."""

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the answer has
        """Return what the answer's process returns, or raise what it raises."""

    def may_swallow(self, error: object) -> bool:
        """Whether an exception may end with a context manager of the answer."""


def ask(handle: object, operation: str, *rest: object) -> Any:  # noqa: ANN401  # whatever the answer has
    """Ask the answer's process to do something with the object that a handle stands for."""
    line: Asked = object.__getattribute__(handle, LINE)
    return line.request(operation, object.__getattribute__(handle, NUMBER), *rest)


class Handle:
    """An object of the answer; its class here has the special methods that its class there has."""

    __slots__ = (LINE, NUMBER)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name not in ASKED_FOR:
            raise AttributeError(str(NeedsShared(f"{name} of an object of the answer")))
        return ask(self, "get", name)

    def __setattr__(self, name: str, value: object) -> None:
        ask(self, "set", name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "del", name)

    def __repr__(self) -> str:
        return _plain_text(_text_of(self, "__repr__"))

    def __str__(self) -> str:
        return _plain_text(_text_of(self, "__str__"))

    def __dir__(self) -> list[str]:
        return list(ask(self, "do", "__dir__", (), {}))

    def __mro_entries__(self, bases: object) -> NoReturn:
        refuse("a class of the answer cannot be subclassed here")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse("an object of the answer cannot be copied here")


def _text_of(handle: object, name: str, *arguments: object) -> Any:  # noqa: ANN401  # as above
    """Ask for a text; where it is wanted for the message of a failure, an error would take its place."""
    try:
        return ask(handle, "do", name, arguments, {})
    except (Gone, NeedsShared):
        raise
    except BaseException as error:  # noqa: BLE001  # the answer's, be it a SystemExit
        refuse(f"an error, {type(error).__name__}, in {name} of an object of the answer")


def _formatted(self: object, wanted: str) -> object:
    """Return a text in a form that the tests want; that it cannot be had in some is theirs to expect."""
    return ask(self, "do", "__format__", (wanted,), {}) if wanted else _text_of(self, "__format__", wanted)


def _plain_text(said: Any) -> str:  # noqa: ANN401  # whatever the answer says; Python refuses what is no text
    return str.__str__(said) if isinstance(said, str) else said


def is_handle(value: object) -> bool:
    """Whether a value stands for an object of the answer, or is one of its plain values with attributes."""
    return getattr(type(value), "__getattr__", None) is Handle.__getattr__


def _forward(name: str) -> Callable[..., object]:
    def method(self: object, *arguments: object, **named: object) -> object:
        if any(isinstance(argument, AssertionError) for argument in arguments):
            refuse("a failed assertion cannot be handed over")  # as `contextlib` does to a generator
        return ask(self, "do", name, arguments, named)

    return method


def _among_themselves(name: str) -> Callable[..., object]:
    forward = _forward(name)

    def method(self: object, other: object, *more: object) -> object:
        if is_handle(other):
            return forward(self, other, *more)
        if name in EQUALITY:
            return NotImplemented
        # To give up here would be a TypeError, which is what some tests want to see of the answer.
        refuse(f"{name} between an object of the answer and a {type(other).__name__}")

    return method


def _else_plain(name: str, parent: type) -> Callable[..., object]:
    """Let an operator of a class of the answer's own count between two of them, and else the plain one."""
    forward, plainly = _forward(name), getattr(parent, name, None)

    def method(self: object, other: object, *more: object) -> object:
        if is_handle(other):
            if name in ORDER and parent is not tuple:  # tests take a number or a text for a plain one
                refuse(f"an own {name} of a {parent.__name__} of the answer")
            return forward(self, other, *more)
        if plainly is None and name[2] in "ri" and hasattr(parent, f"__{name[3:]}"):
            return NotImplemented  # reflected or in place: Python takes the plain operator then
        if plainly is None:
            refuse(f"{name} between an object of the answer and a {type(other).__name__}")
        return plainly(self, other, *more)

    return method


def _field(name: str) -> property:
    """Give the field of a named tuple; what takes an argument would be shown the expected value."""

    def value(self: object) -> object:
        found = ask(self, "get", name)
        if callable(found):
            refuse(f"an own {name} of a tuple of the answer")
        return found

    return property(value)


def _by_value(name: str) -> Callable[..., object]:
    """Compare a list, dict or set of the answer's own class, as what it holds, with a plain value."""
    among = _among_themselves(name)

    def method(self: object, other: object) -> object:
        if is_handle(other):
            return among(self, other)
        held = ask(self, "held")
        return getattr(held, name)(other) if type(held) in {list, dict, set} else NotImplemented

    return method


def _about_class(name: str) -> Callable[..., object]:
    forward = _forward(name)

    def method(self: object, other: object) -> bool:
        return is_handle(other) and bool(forward(self, other))

    return method


def _of_type(self: object, key: object) -> object:
    """Return what a class gives for `Stack[int]`."""
    return ask(self, "get", "__class_getitem__")(key)


def _leave(self: object, kind: type | None, *error: object) -> object:
    """Let a context manager of the answer swallow errors, but never what an assertion of the tests says."""
    said: object = False
    with _heeding(self, kind, error) as is_heeded:
        said = ask(self, "do", "__exit__", (kind, *error[:1], None), {}) and is_heeded
    return said  # noqa: RET504  # False where what it raised does not count


async def _leave_later(self: object, kind: type | None, *error: object) -> object:
    said: object = False
    with _heeding(self, kind, error) as is_heeded:
        said = await ask(self, "do", "__aexit__", (kind, *error[:1], None), {}) and is_heeded
    return said  # noqa: RET504  # False where what it raised does not count


def _not_asked(self: object, item: object) -> NoReturn:  # noqa: ARG001  # Python's signature
    """Refuse `in`: Python's own TypeError would be the grader's word."""
    refuse(f"what a {type(self).__name__} contains")


def _placed(self: object, owner: object, name: str) -> NoReturn:  # noqa: ARG001  # Python's signature
    """Refuse to stand in a class of the tests, where Python would look for more than a value."""
    refuse(f"a function or descriptor of the answer as {name} of a class of the tests")


@contextmanager
def _heeding(manager: object, kind: type | None, error: tuple[object, ...]) -> Iterator[bool]:
    """Give whether what a context manager says counts; if not, neither does what it raises."""
    line: Asked = object.__getattribute__(manager, LINE)
    is_heeded = kind is None or line.may_swallow(error[0] if error else None)
    try:
        yield is_heeded
    except (Gone, NeedsShared):
        raise
    except BaseException:
        if is_heeded:
            raise


async def _ask_later(handle: object, operation: str) -> object:
    return ask(handle, operation)


TEXTS: dict[str, Callable[..., object]] = {
    "__repr__": Handle.__repr__,
    "__str__": Handle.__str__,
    "__format__": _formatted,
}
FORWARDED = {name: _forward(name) for name in ALONE} | TEXTS
KEPT_APART = {name: _among_themselves(name) for name in GUARDED}
BY_VALUE = {name: _by_value(name) for name in EQUALITY}
CLASS_CHECKS = {name: _about_class(name) for name in ABOUT_CLASSES}
ASKED = {CONTAINS: _forward(CONTAINS)}
LEAVING: dict[str, Callable[..., object]] = {"__exit__": _leave, "__aexit__": _leave_later}
AWAITED: dict[str, Callable[..., object]] = {
    "__await__": lambda self: _ask_later(self, "await").__await__(),
    "__anext__": lambda self: _ask_later(self, "anext"),
}
METHODS = {**FORWARDED, **KEPT_APART, **CLASS_CHECKS, **LEAVING, **AWAITED}


# What every class has here as well, and what is asked for is the other's.
OVER_THERE = {
    "__doc__": property(lambda self: ask(self, "get", "__doc__")),
    "__module__": property(lambda self: ask(self, "get", "__module__")),
}
SLOTS = property(lambda self: ask(self, "get", "__slots__"))


class Handles:
    """The handles in use, one for each object; `named` are the classes that the tests name."""

    def __init__(self, line: Asked, named: frozenset[str]) -> None:
        self._line = line
        self._named = named
        self._classes: dict[int, type] = {}
        self._objects: dict[int, object] = {}

    def handle(self, number: int, kind: int, name: str, dunders: list[str], base: str) -> object:
        """Return what stands for an object whose class has a number, a name, special methods and a base."""
        if kind not in self._classes:
            body = {"__slots__": (), **OVER_THERE, **self._methods(name, dunders, holds=bool(base))}
            self._classes[kind] = type(name, (Handle,), body)
            self._classes[kind].__slots__ = SLOTS  # type: ignore[attr-defined]  # not before its own are made
        return self._kept(number, lambda: object.__new__(self._classes[kind]))

    def plain_with_more(self, number: int, kind: int, name: str, own: list[str], value: Any) -> object:  # noqa: ANN401
        """Return a plain value with attributes over there, such as a named tuple; it compares as plain.

        `own` are the special methods that its class does not have from the plain one.
        """
        parent = UNCHANGING[type(value).__name__]
        if type(value) is not parent:
            raise TypeError(f"no {parent.__name__}")
        if kind not in self._classes:
            asked = {dunder: getattr(Handle, dunder) for dunder in LIKE_A_HANDLE}
            held = {dunder for dunder in HELD if hasattr(parent, dunder)}
            alone = {dunder: FORWARDED[dunder] for dunder in (FORWARDED.keys() & own) - held}
            both = {dunder: _else_plain(dunder, parent) for dunder in BETWEEN_TWO.intersection(own)}
            fields = {field: _field(field) for field in FIELDS.intersection(own) if parent is tuple}
            self._classes[kind] = type(name, (parent,), {**alone, **both, **asked, **fields})
        return self._kept(number, lambda: parent.__new__(self._classes[kind], value))

    def _kept(self, number: int, make: Callable[[], object]) -> object:
        if number not in self._objects:
            made = make()
            object.__setattr__(made, LINE, self._line)
            object.__setattr__(made, NUMBER, number)
            self._objects[number] = made
        return self._objects[number]

    def _methods(self, name: str, dunders: list[str], *, holds: bool) -> dict[str, object]:
        """Return the special methods of a class here; one that holds values compares by what it holds."""
        known = {**METHODS, **(BY_VALUE if holds else {}), **(ASKED if name in self._named else {})}
        methods: dict[str, object] = {dunder: known[dunder] for dunder in dunders if dunder in known}
        if "__instancecheck__" in methods:
            methods.setdefault("__getitem__", _of_type)
            methods.setdefault("__iter__", None)  # which `__getitem__` would allow
        if DESCRIPTORS.intersection(dunders):
            methods["__set_name__"] = _placed
        if CONTAINS in dunders and not methods.keys() & {CONTAINS, "__iter__", "__getitem__"}:
            methods[CONTAINS] = _not_asked
        if "__eq__" in methods:
            methods.setdefault("__hash__", Handle.__hash__)
        return {**methods, "__hash__": None} if UNHASHABLE in dunders else methods
