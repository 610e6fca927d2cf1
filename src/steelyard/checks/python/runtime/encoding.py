"""Encode values as JSON: plain data, tagged where JSON has no type. Everything else becomes its type's name.

Only methods of built-in types read a value, so that a subclass of the answer's runs no code here. A subclass
with its own `__eq__` is not plain. Standard library only, loaded before every answer: imports stay light.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any

DEEPEST = 64
LARGEST_BYTES = 4 << 20
LARGEST_INT = 1 << 63  # beyond, hexadecimal digits: Python converts only 4,300 decimal ones
INFINITY = float("inf")


def _comparing(base: type) -> list[str]:
    """Return the methods by which a type compares."""
    return [
        name
        for name in ("__eq__", "__contains__", "__lt__", "__le__", "__gt__", "__ge__")
        if hasattr(base, name)
    ]


class NotEncodable(Exception):
    """A value is not plain data; the message is its type, or what bounds it exceeds."""


def encode(value: object) -> object:
    """Return a value in JSON's types, or `{"other": …}` if it is not plain data."""
    try:
        return _Encoder().encode(value, 0)
    except NotEncodable as reason:
        return {"other": str(reason)}
    except Exception:  # noqa: BLE001  # an object that lies about its type
        return {"other": type(value).__name__}


class _Encoder:
    """Encodes one value, and counts its size."""

    def __init__(self) -> None:
        self._remaining = LARGEST_BYTES

    def encode(self, value: Any, depth: int) -> object:  # noqa: ANN401  # any value
        kind = type(value)
        if value is None or kind is bool:
            return self._charged(value, 4)
        if depth > DEEPEST:
            raise NotEncodable("a value that is nested too deep")
        for base in kind.__mro__:
            if converter := BUILTIN.get(base) or _imported(base):
                if any(getattr(kind, name) is not getattr(base, name) for name in _comparing(base)):
                    break
                return converter(self, value, depth + 1)
        numpy = sys.modules.get("numpy")
        if numpy and isinstance(value, numpy.generic) and type(plain := value.item()) is not kind:
            return self.encode(plain, depth + 1)
        raise NotEncodable(kind.__name__)

    def _charged(self, encoded: object, size: int) -> object:
        self._remaining -= size
        if self._remaining < 0:
            raise NotEncodable("a value of more than 4 MiB")
        return encoded

    def text(self, tag: str, content: str) -> object:
        return self._charged({tag: content} if tag else content, len(content) + 16)

    def items(self, tag: str, items: Iterable[object], depth: int) -> object:
        encoded = [self.encode(item, depth) for item in items]
        return self._charged({tag: encoded} if tag else encoded, 16)

    def integer(self, value: int, _: int) -> object:
        number = int.__int__(value)
        if abs(number) < LARGEST_INT:
            return self._charged(number, 8)
        return self.text("int", hex(number))

    def real(self, value: float, _: int) -> object:
        number = float.__float__(value)
        is_finite = -INFINITY < number < INFINITY
        return self._charged(number, 8) if is_finite else self.text("float", number.hex())


Converter = Callable[[_Encoder, Any, int], object]


def _text(tag: str, convert: Callable[[Any], str]) -> Converter:
    return lambda encoder, value, _: encoder.text(tag, convert(value))


def _items(tag: str, convert: Callable[[Any], Iterable[object]]) -> Converter:
    return lambda encoder, value, depth: encoder.items(tag, convert(value), depth)


def _parts(tag: str, convert: Callable[[Any], list[Any]]) -> Converter:
    return lambda encoder, value, _: encoder.items(tag, convert(value), 0)


def _complex(value: complex) -> list[str]:
    parts: list[float] = [complex.real.__get__(value), complex.imag.__get__(value)]
    return [part.hex() for part in parts]


def _fraction(value: Any) -> list[str]:  # noqa: ANN401  # a Fraction, whose module need not be loaded
    return [hex(value.numerator), hex(value.denominator)]


def _pairs(tag: str, base: type[dict[Any, Any]]) -> Converter:
    return lambda encoder, value, depth: encoder.items(tag, map(list, base.items(value)), depth)


def _imported(kind: type) -> Converter | None:
    """Return the converter of a type of the standard library whose module is loaded."""
    module, converter = IMPORTED.get(kind.__name__, ("", None))
    return converter if getattr(sys.modules.get(module), kind.__name__, None) is kind else None


BUILTIN: dict[type, Converter] = {
    str: _text("", str.__str__),
    int: _Encoder.integer,
    float: _Encoder.real,
    complex: _parts("complex", _complex),
    bytes: _text("bytes", bytes.hex),
    bytearray: _text("bytearray", bytearray.hex),
    list: _items("", list.__iter__),
    tuple: _items("tuple", tuple.__iter__),
    set: _items("set", set.__iter__),
    frozenset: _items("frozenset", frozenset.__iter__),
    dict: _pairs("dict", dict),
    MappingProxyType: lambda encoder, value, depth: encoder.encode(dict(value), depth),
    type({}.keys()): _items("set", iter),
}
# By the name of the type: its module and its converter.
IMPORTED: dict[str, tuple[str, Converter]] = {
    "deque": ("collections", _items("deque", iter)),
    "Counter": ("collections", _pairs("Counter", dict)),
    "defaultdict": ("collections", _pairs("defaultdict", dict)),
    "OrderedDict": ("collections", _pairs("OrderedDict", OrderedDict)),
    "Decimal": ("decimal", _text("Decimal", str)),
    "Fraction": ("fractions", _parts("Fraction", _fraction)),
    "datetime": ("datetime", _text("datetime", lambda value: str(value.isoformat()))),
    "date": ("datetime", _text("date", lambda value: str(value.isoformat()))),
    "time": ("datetime", _text("time", lambda value: str(value.isoformat()))),
    "timedelta": (
        "datetime",
        _parts("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
    ),
    "UUID": ("uuid", _text("UUID", str)),
    "PurePosixPath": ("pathlib", _text("Path", str)),
    "_CallList": ("unittest.mock", _items("", list.__iter__)),
    "_Call": ("unittest.mock", _items("call", tuple.__iter__)),
}
