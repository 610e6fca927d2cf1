"""Encode plain data as JSON, tagged where JSON has no type; other values become the name of their type.

Only methods of built-in types read a value, so subclasses of the answer run no code here. A subclass with
its own `__eq__` is not plain. Loaded before every answer: imports stay light.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

DEEPEST = 64
LARGEST_BYTES = 4 << 20
LARGEST_INT = 1 << 63  # larger ones in hexadecimal: Python converts at most 4,300 decimal digits
INFINITY = float("inf")
COMPARING = ("__eq__", "__contains__", "__lt__", "__le__", "__gt__", "__ge__")


class NotEncodable(Exception):
    """A value is not plain data; the message is its type, or the bound that it exceeds."""


def encode(value: object) -> object:
    """Encode a value; `{"other": …}` if it is not plain data."""
    try:
        return _Encoder().encode(value, 0)
    except NotEncodable as reason:
        return {"other": str(reason)}
    except Exception:  # noqa: BLE001  # an object may lie about its type
        return {"other": type(value).__name__}


class _Encoder:
    """Encodes one value within a bound on its size."""

    def __init__(self) -> None:
        self._remaining = LARGEST_BYTES

    def encode(self, value: object, depth: int) -> object:
        if depth > DEEPEST:
            raise NotEncodable("a value that is nested too deep")
        if value is None or type(value) is bool:
            return self._charged(value)
        tag, content = _content(value)
        if not isinstance(content, str | int | float | dict):
            content = [self.encode(item, depth + 1) for item in content]
        return self._charged({tag: content} if tag else content, content)

    def _charged(self, encoded: object, content: object = None) -> object:
        self._remaining -= 16 + (len(content) if isinstance(content, str) else 0)
        if self._remaining < 0:
            raise NotEncodable("a value of more than 4 MiB")
        return encoded


def _content(value: Any) -> tuple[str, Any]:  # noqa: ANN401  # any value
    """Return a value's tag, and its scalar or items."""
    kind = type(value)
    for base in kind.__mro__:
        if converter := BUILTIN.get(base) or _imported(base):
            names = [name for name in COMPARING if hasattr(base, name)]
            if any(getattr(kind, name) is not getattr(base, name) for name in names):
                break
            tag, convert = converter
            return tag, convert(value)
    numpy = sys.modules.get("numpy")
    if numpy and isinstance(value, numpy.generic) and type(plain := value.item()) is not kind:
        return ("", plain) if type(plain) is bool else _content(plain)
    raise NotEncodable(kind.__name__)


def _integer(value: int) -> object:
    number = int.__int__(value)
    return number if abs(number) < LARGEST_INT else {"int": hex(number)}


def _real(value: float) -> object:
    number = float.__float__(value)
    return number if -INFINITY < number < INFINITY else {"float": number.hex()}


def _pairs(value: Any) -> object:  # noqa: ANN401  # any mapping
    return map(list, dict.items(value))


Converter = tuple[str, Callable[[Any], object]]  # tag, and function that returns the content


def _imported(kind: type) -> Converter | None:
    """Return the converter of a standard-library type whose module is loaded."""
    module, converter = IMPORTED.get(kind.__name__, ("", None))
    return converter if getattr(sys.modules.get(module), kind.__name__, None) is kind else None


BUILTIN: dict[type, Converter] = {
    str: ("", str.__str__),
    int: ("", _integer),
    float: ("", _real),
    bytes: ("bytes", bytes.hex),
    list: ("", list.__iter__),
    tuple: ("tuple", tuple.__iter__),
    set: ("set", set.__iter__),
    frozenset: ("frozenset", frozenset.__iter__),
    dict: ("dict", _pairs),
    complex: ("complex", lambda value: [value.real, value.imag]),
    MappingProxyType: ("dict", lambda value: _pairs(dict(value))),
    type({}.keys()): ("set", iter),
}
# Name of the type: its module and converter.
IMPORTED: dict[str, tuple[str, Converter]] = {
    "deque": ("collections", ("deque", iter)),
    "Counter": ("collections", ("Counter", _pairs)),
    "OrderedDict": ("collections", ("OrderedDict", lambda value: map(list, OrderedDict.items(value)))),
    "Decimal": ("decimal", ("Decimal", str)),
    "datetime": ("datetime", ("datetime", lambda value: value.isoformat())),
    "date": ("datetime", ("date", lambda value: value.isoformat())),
    "timedelta": ("datetime", ("timedelta", lambda value: [value.days, value.seconds, value.microseconds])),
    "PurePosixPath": ("pathlib", ("Path", str)),
    "_CallList": ("unittest.mock", ("", list.__iter__)),
    "_Call": ("unittest.mock", ("call", tuple.__iter__)),
}
