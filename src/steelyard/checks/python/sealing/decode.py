"""Read reported values: plain data in JSON, tagged where JSON has no type.

Nothing is executed: sizes, depth and equal hashes are bounded, and anything malformed raises BadReport.
"""

import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

DEEPEST = 200
MOST_EQUAL_HASHES = 200
LARGEST_EXPONENT = 100_000
LONGEST_FRACTION = 10_000  # digits; reducing one takes quadratic time


class BadReport(Exception):
    """A report is not in the form that the reporter writes."""


class OtherValue(Exception):
    """The reported value is not plain data; the message is its type."""


def decode(encoded: object) -> object:
    """Return a reported value."""
    try:
        return _decoded(encoded, 0)
    except OtherValue:
        raise
    except Exception as error:  # noqa: BLE001  # an answer may send anything
        raise BadReport(f"malformed report ({type(error).__name__})") from None


def _decoded(encoded: object, depth: int) -> object:
    if depth > DEEPEST:
        raise BadReport("too deep")
    match encoded:
        case None | bool() | str() | int() | float():
            return encoded
        case list(items):
            return [_decoded(item, depth + 1) for item in items]
        case {"other": str(name)}:
            raise OtherValue(name)
        case dict() if len(encoded) == 1:
            ((tag, content),) = encoded.items()
            if tag in SCALARS:
                return SCALARS[tag](content)
            return CONTAINERS[tag](_decoded_items(content, depth + 1))
    raise BadReport("unknown form")


def _decoded_items(content: Any, depth: int) -> list[object]:  # noqa: ANN401  # from JSON
    if not isinstance(content, list):
        raise BadReport("no list")
    return [_decoded(item, depth) for item in content]


def _hashed(items: Iterable[object]) -> list[object]:
    """Return items for a set or dict; many equal hashes would take quadratic time."""
    hashable = list(items)
    counts = sorted(map(hash, hashable))
    if any(map(int.__eq__, counts, counts[MOST_EQUAL_HASHES:])):
        raise BadReport("equal hashes")
    return hashable


def _mapping(items: list[Any]) -> dict[object, object]:
    _hashed(key for key, _ in items)
    return {key: value for key, value in items}  # noqa: C416  # `dict` would accept more


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if number.is_finite() and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise BadReport("exponent")
    return number


def _fraction(parts: list[str]) -> Fraction:
    numerator, denominator = parts
    if len(numerator) + len(denominator) > LONGEST_FRACTION:
        raise BadReport("fraction")
    return Fraction(int(numerator, 16), int(denominator, 16))


def _complex(parts: list[str]) -> complex:
    real, imaginary = map(float.fromhex, parts)
    return complex(real, imaginary)


def _call(items: list[Any]) -> object:
    *name, arguments, options = items  # a call of an attribute has its name
    return (*map(str, name), tuple(arguments), dict(options))  # `call(…)` equals it, and nothing else does


SCALARS: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "int": lambda text: int(text, 16),
        "float": float.fromhex,
        "complex": _complex,
        "bytes": bytes.fromhex,
        "bytearray": bytearray.fromhex,
        "Decimal": _decimal,
        "Fraction": _fraction,
        "datetime": datetime.fromisoformat,
        "date": date.fromisoformat,
        "time": time.fromisoformat,
        "timedelta": lambda parts: timedelta(*parts),
        "UUID": uuid.UUID,
        "Path": PurePosixPath,
    }
)
CONTAINERS: Mapping[str, Callable[[list[Any]], object]] = MappingProxyType(
    {
        "tuple": tuple,
        "set": lambda items: set(_hashed(items)),
        "frozenset": lambda items: frozenset(_hashed(items)),
        "deque": deque,
        "dict": _mapping,
        "Counter": lambda items: Counter(_mapping(items)),
        "OrderedDict": lambda items: OrderedDict(_mapping(items)),
        "defaultdict": lambda items: defaultdict(None, _mapping(items)),
        "call": _call,
    }
)
