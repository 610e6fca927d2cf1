"""Stand for objects of the answer in the grader: whatever is done to a handle is done over there.

An operator with two operands shows its object the other one, which in a test is often the expected value. So
there is one rule: what a class of the answer defines for itself never meets a plain value. Objects of the
answer meet each other, and one that is made from a plain type, such as a named tuple, meets a plain value as
the plain value that it holds. Everything else is refused, and a test that was refused something has failed.
"""

import sys
import types
from collections import OrderedDict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from steelyard.checks.python.grader_runtime.collect import PREFIX_FILE, TESTS_FILE
from steelyard.checks.python.grader_runtime.wire import Gone

_ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
EQUALITY = frozenset({"__eq__", "__ne__"})
IN_PLACE = frozenset(f"__i{name}__" for name in _ARITHMETIC)
BETWEEN = (  # what shows an object the other operand
    EQUALITY
    | {"__lt__", "__le__", "__gt__", "__ge__", "__contains__"}
    | {f"__{letter}{name}__" for name in _ARITHMETIC for letter in ("", "r")}
    | IN_PLACE
)
TEXTS = frozenset({"__str__", "__repr__", "__format__"})
ALONE = TEXTS | {
    *("__call__", "__len__", "__iter__", "__next__", "__reversed__", "__bool__", "__hash__"),
    *("__getitem__", "__setitem__", "__delitem__", "__length_hint__", "__bytes__", "__fspath__"),
    *("__int__", "__float__", "__complex__", "__index__", "__round__", "__trunc__", "__floor__"),
    *("__ceil__", "__abs__", "__neg__", "__pos__", "__invert__"),
}
ABOUT_CLASSES = frozenset({"__instancecheck__", "__subclasscheck__"})
# Blocks and waiting can hide a failed assertion; a descriptor does something only in a class of one process.
NEVER = frozenset(
    {
        *("__enter__", "__exit__", "__aenter__", "__aexit__", "__await__", "__aiter__", "__anext__"),
        *("__get__", "__set__", "__set_name__"),
    }
)
SAID = {
    **dict.fromkeys(("__enter__", "__exit__"), "`with` on an object of the answer"),
    "__set_name__": "a decorator or descriptor of the answer in a class of the tests",
    "__mro_entries__": "a class of the tests that is made from one of the answer",
}
DUNDERS = BETWEEN | ALONE | ABOUT_CLASSES | NEVER
HOLDS: MappingProxyType[str, type] = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (int, float, complex, str, bytes, tuple, frozenset, list, OrderedDict, dict, set)
    }
)
MISSING = "__missing__"  # what a `defaultdict` does with a key that it has not
NAMES = frozenset({"__name__", "__qualname__"})
OF_TYPES = NAMES | {"__class__"}
ASKED_FOR = NAMES | {"__dict__", "__slots__", "__annotations__", "__wrapped__", "__members__"}
LINE, NUMBER, VALUE = "_steelyard_line", "_steelyard_number", "_steelyard_value"
BASE, PLAIN = "_steelyard_base", "_steelyard_plain"  # what a class is made from, and whether it is no more
# What changes a list, dict or set is done over there.
ACTS = frozenset({"__setitem__", "__delitem__", "add", "append", "clear", "discard", "extend", "insert"}) | {
    "move_to_end",
    *("pop", "popitem", "remove", "reverse", "setdefault", "sort", "update", "difference_update"),
    *("intersection_update", "symmetric_difference_update"),
}
MAY_CHANGE = frozenset({"list", "OrderedDict", "dict", "set", "tuple"})  # the last by what is in it
CHANGING = MAY_CHANGE - {"tuple"}
SCALARS = frozenset({"int", "float", "complex", "str", "bytes"})
OF_TYPING = frozenset({"__parameters__", "__typing_subst__"})  # what `list[Stack]` looks for
# And the case's own; a library may take an object's word for a plain one.
TEST_FILES = {TESTS_FILE, PREFIX_FILE}


class NeedsShared(BaseException):
    """Tests do what takes one process. No test that expects an exception may take this for the answer's."""

    def __init__(self, what: str) -> None:
        super().__init__(f'{what}: the case needs isolation = "shared"')


FAILURES: list[BaseException] = []  # of the test that runs now: it has failed even if it catches everything


def refuse(what: str) -> NoReturn:
    """Fail the test that does what takes one process."""
    error = NeedsShared(what)
    FAILURES.append(error)
    raise error


class Asked(Protocol):
    """Asks the answer's process for something."""

    asked: int  # how often it has been asked for more than to look

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the answer has
        """Return what the answer's process returns, or raise what it raises."""


def ask(handle: object, operation: str, *rest: object) -> Any:  # noqa: ANN401  # whatever the answer has
    """Ask the answer's process to do something with the object that a handle stands for."""
    line: Asked = object.__getattribute__(handle, LINE)
    return line.request(operation, object.__getattribute__(handle, NUMBER), *rest)


class Handle:
    """An object of the answer; its class here has the special methods that its class there has."""

    __slots__ = (LINE, NUMBER, VALUE)

    def __getattr__(self, name: str) -> object:
        if getattr(type(self), PLAIN) and name in dir(HOLDS[getattr(type(self), BASE)]) and name not in ACTS:
            return getattr(plainly(self), name)
        caller = sys._getframe(1)  # noqa: SLF001  # public but for its name
        is_test, home = in_tests(caller), str(caller.f_globals.get("__name__"))
        if not _is_to_ask(self, name, home, is_test=is_test):
            raise AttributeError(f"{name} of an object of the answer")
        return ask(self, "get", name)

    def __setattr__(self, name: str, value: object) -> None:
        ask(self, "set", name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "del", name)

    def __str__(self) -> str:
        return _text(self, "__str__")

    def __repr__(self) -> str:
        return _text(self, "__repr__")

    def __format__(self, wanted: str) -> str:
        return _text(self, "__format__", wanted)

    def __dir__(self) -> list[str]:
        return list(ask(self, "call", "__dir__", (), {}))

    def __mro_entries__(self, bases: object) -> NoReturn:
        refuse("a class of the answer cannot be subclassed here")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse("an object of the answer cannot be copied here")

    def __sizeof__(self) -> NoReturn:
        refuse("the size of an object of the answer")


class Kind(type):
    """The class of what stands for the classes of objects; tests that look at one look at the wrong one."""

    def __getattribute__(cls, name: str) -> object:
        if name not in OF_TYPES and in_tests(sys._getframe(1)):  # noqa: SLF001  # as below
            refuse(f"{name} of the type of an object of the answer")
        return type.__getattribute__(cls, name)

    def __call__(cls, *_: object, **__: object) -> NoReturn:
        """Fail the test: the answer is not asked."""
        refuse("a call of the type of an object of the answer")

    def __instancecheck__(cls, thing: object) -> NoReturn:
        refuse("isinstance with the type of an object of the answer")


def _of_class(self: object, name: str) -> object:
    """Return an attribute of a class; the special ones of its handle are those of a handle."""
    caller = sys._getframe(1)  # noqa: SLF001  # as below
    if name == "__class__" and (in_tests(caller) or caller.f_globals.get("__name__") == "unittest.case"):
        return type  # for `isinstance`
    is_special = name.startswith("__") and name.endswith("__") and name not in OF_HANDLES
    if is_special and in_tests(caller):
        refuse(SAID.get(name, f"{name} of a class of the answer"))
    return object.__getattribute__(self, name)


def in_tests(frame: types.FrameType) -> bool:
    """Whether what runs there is a test, or what it uses of the case's."""
    return frame.f_code.co_filename in TEST_FILES


def _is_to_ask(handle: object, name: str, home: str, *, is_test: bool) -> bool:
    """Whether the answer is to be asked for an attribute; if not, there is none, or the test fails."""
    if name in NAMES or (is_test and name in ASKED_FOR):
        return True
    if name.startswith("__") and name.endswith("__"):
        is_known = name in DUNDERS and not hasattr(type(handle), "__instancecheck__")
        return (
            is_test
            and not is_known
            and name not in OF_TYPING
            and refuse(f"{name} of an object of the answer")
        )
    if home.startswith("_pytest.") and home != "_pytest.raises":
        return False  # it looks for marks of its own
    return is_test or home.startswith("steelyard.") or refuse(f"an object of the answer in {home}")


# What every class has here as well, and what is asked for is the other's.
OVER_THERE = {
    "__doc__": property(lambda self: ask(self, "get", "__doc__")),
    "__module__": property(lambda self: ask(self, "get", "__module__")),
}
OF_HANDLES = ASKED_FOR | OF_TYPING | OVER_THERE.keys() | {"__class__"}
SLOTS = property(lambda self: ask(self, "get", "__slots__"))


def is_handle(value: object) -> bool:
    """Whether a value stands for an object of the answer."""
    return issubclass(type(value), Handle)


def _text(handle: object, name: str, *wanted: str) -> str:
    """Ask for a text; where it is wanted for the message of a failure, an error would take its place."""
    try:
        said = ask(handle, "call", name, wanted, {})
    except (Gone, NeedsShared):
        raise
    except BaseException as error:  # noqa: BLE001  # the answer's, be it a SystemExit
        refuse(f"{type(error).__name__} in {name} of an object of the answer")
    return said if type(said) is str else refuse(f"{name} of an object of the answer that gives no text")


def _alone(name: str) -> Callable[..., object]:
    return lambda self, /, *arguments, **named: ask(self, "call", name, arguments, named)


def _between(name: str, *, is_plain: bool) -> Callable[..., object]:
    """Let an operator count between two objects of the answer, or else between plain values."""

    def method(self: object, other: object, *more: object) -> object:
        if is_plain and not is_handle(plain := plainly(other)):
            return getattr(plainly(self), name)(plain, *more)
        if is_handle(other):
            return ask(self, "call", name, (other, *more), {})
        if name in EQUALITY and other is None:
            return NotImplemented
        return refuse(f"{name} between an object of the answer and a {type(other).__name__}")

    return method


def plainly(value: object) -> object:
    """Return the plain value that an object of the answer holds, or else the value as it is."""
    base = getattr(type(value), BASE, "") if is_handle(value) else ""
    if not base:
        return value
    line: Asked = object.__getattribute__(value, LINE)
    asked, held = object.__getattribute__(value, VALUE)
    # One that may change does so only when the answer has been asked for something.
    if asked is None or (base in MAY_CHANGE and asked != line.asked):
        held = line.request("held", object.__getattribute__(value, NUMBER))
        object.__setattr__(value, VALUE, (line.asked, held))
    return held if type(held) is HOLDS[base] else refuse(f"an object of the answer that is no {base}")


def _held(name: str) -> Callable[..., object]:
    return lambda self, *arguments: getattr(plainly(self), name)(*arguments)


def _about_class(name: str) -> Callable[..., object]:
    def about(self: object, other: object) -> bool:
        if type(other) is Kind:
            refuse("issubclass of the type of an object of the answer")
        return is_handle(other) and bool(ask(self, "call", name, (other,), {}))

    return about


def _about_own_class(name: str) -> Callable[..., object]:
    ask_class = _about_class(name)
    return lambda self, other: ask_class(self, other) if is_handle(other) else _never(name)()


class Either(tuple[object, ...]):
    """Classes in an annotation such as `Node | None`, which `isinstance` takes as well."""

    __slots__ = ()

    def __or__(self, other: object) -> "Either":
        return Either((*self, other))


def _with_parameters(self: object, _: object) -> object:
    try:
        ask(self, "get", "__class_getitem__")
    except AttributeError:
        raise TypeError(f"type {self} is not subscriptable") from None
    return self


# What every class can, and its handle as well: to be in a union or to have parameters.
OF_CLASSES: dict[str, Any] = {
    "__or__": lambda self, other: Either((self, type(None) if other is None else other)),
    "__ror__": lambda self, other: Either((type(None) if other is None else other, self)),
    "__getitem__": _with_parameters,
    "__iter__": None,
}


def _never(name: str) -> Callable[..., object]:
    return lambda *_: refuse(SAID.get(name, f"{name} of an object of the answer"))


METHODS: dict[str, Callable[..., object]] = {
    **{name: _alone(name) for name in ALONE - TEXTS},
    **{name: _between(name, is_plain=False) for name in BETWEEN},
    **{name: _about_class(name) for name in ABOUT_CLASSES},
    **{name: _never(name) for name in NEVER - {"__get__", "__set__"}},
}


class Handles:
    """The handles in use, one for each object."""

    def __init__(self, line: Asked) -> None:
        self._line = line
        self._classes: dict[int, type] = {}
        self._objects: dict[int, object] = {}

    def handle(self, number: int, kind: int, about: tuple[str, list[str], list[str], str]) -> object:
        """Return what stands for an object; `about` is what `methods_of` says of its class, with its name."""
        if kind not in self._classes:
            name, dunders, own, base = about
            fixed = {"__slots__": (), BASE: base, PLAIN: bool(base) and not own}
            self._classes[kind] = Kind(
                name, (Handle,), {**OVER_THERE, **methods(dunders, own, base), **fixed}
            )
            self._classes[kind].__slots__ = SLOTS  # type: ignore[attr-defined]  # not before its own are made
        if number not in self._objects:
            made: Any = object.__new__(self._classes[kind])
            self._objects[number] = made
            object.__setattr__(made, LINE, self._line)
            object.__setattr__(made, VALUE, (None, None))
            object.__setattr__(made, NUMBER, number)
        return self._objects[number]


def methods(dunders: list[str], own: list[str], base: str) -> dict[str, object]:
    """Return the special methods of a class here."""
    made: dict[str, Any] = {name: METHODS[name] for name in dunders if name in METHODS}
    if "__instancecheck__" in dunders:
        made |= {name: item for name, item in OF_CLASSES.items() if name not in own}
        made["__getattribute__"] = _of_class
        made |= {name: _about_own_class(name) for name in ABOUT_CLASSES.intersection(own)}
    if base:
        theirs = frozenset(dir(HOLDS[base])).difference(own)
        made |= {name: _between(name, is_plain=True) for name in BETWEEN & theirs - IN_PLACE}
        if "__add__" in theirs and "__radd__" not in dir(HOLDS[base]):  # as `"a" + "b"` needs none
            made.setdefault("__radd__", lambda self, other: other + plainly(self))
        if base in SCALARS:  # tests take such a one for a plain one, be it beside another
            made |= {name: _never(name) for name in BETWEEN.intersection(own)}
        if base not in CHANGING:
            made["__hash__"] = _never("__hash__") if "__hash__" in own else _held("__hash__")
        if not own:
            made |= {name: _held(name) for name in ALONE & theirs - TEXTS - ACTS}
        if not {*own} - {MISSING}:
            made["__class__"] = property(lambda _: HOLDS[base])  # what `isinstance` looks at
    if {"__get__", "__set__"}.intersection(dunders):
        made["__set_name__"] = METHODS["__set_name__"]
    if "__eq__" in made and "__hash__" not in dunders:
        made["__hash__"] = None
    return made


def tells_of_plain(name: str) -> bool:
    """Whether a plain value is not plain any more if its class defines this anew."""
    return name in (BETWEEN | ALONE | ABOUT_CLASSES | {MISSING}) - TEXTS or not name.startswith("_")
