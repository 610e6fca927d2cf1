"""Decode reported values: plain data in JSON, tagged where JSON has no type.

Executes nothing. Sizes, depth and equal hashes are bounded; malformed data raise BadReport.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

DEEPEST = 200
MOST_EQUAL_HASHES = 200
LARGEST_EXPONENT = 100_000


class BadReport(Exception):
    """A report is malformed."""


class OtherValue(Exception):
    """The reported value is not plain data; the message is its type."""


def decode(encoded: object) -> object:
    """Decode one value; raises BadReport or OtherValue."""
    try:
        return _decoded(encoded, 0)
    except OtherValue:
        raise
    except Exception as error:  # noqa: BLE001  # an answer may send any data
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
            return TAGGED[tag](_decoded(content, depth + 1))
    raise BadReport("unknown form")


def _hashed(items: Iterable[object]) -> list[object]:
    """Return items for a set or dict; rejects many equal hashes, which take quadratic time."""
    hashable = list(items)
    counts = sorted(map(hash, hashable))
    if any(map(int.__eq__, counts, counts[MOST_EQUAL_HASHES:])):
        raise BadReport("equal hashes")
    return hashable


def _mapping(items: list[Any]) -> dict[object, object]:
    keys, values = zip(*items, strict=True) if items else ((), ())
    return dict(zip(_hashed(keys), values, strict=True))


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if number.is_finite() and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise BadReport("exponent")
    return number


def _call(items: list[Any]) -> object:
    *name, arguments, options = items  # a call of an attribute has its name
    return (*map(str, name), tuple(arguments), dict(options))  # equal to a `call(…)` only


TAGGED: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "int": lambda text: int(text, 16),
        "float": float.fromhex,
        "complex": lambda items: complex(*items),
        "bytes": bytes.fromhex,
        "Decimal": _decimal,
        "datetime": datetime.fromisoformat,
        "date": date.fromisoformat,
        "timedelta": lambda items: timedelta(*items),
        "Path": PurePosixPath,
        "tuple": tuple,
        "set": lambda items: set(_hashed(items)),
        "frozenset": lambda items: frozenset(_hashed(items)),
        "deque": deque,
        "dict": _mapping,
        "Counter": lambda items: Counter(_mapping(items)),
        "OrderedDict": lambda items: OrderedDict(_mapping(items)),
        "call": _call,
    }
)
