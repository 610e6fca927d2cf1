"""Decode plain data: JSON, with one-key objects (tags) for types that JSON lacks.

| JSON | value |
|---|---|
| `{"tuple": [1, 2]}` | a tuple |
| `{"set": [1, 2]}` | a set |
| `{"bytes": "AAE="}` | bytes, in base64 |
| `{"int": "123…"}` | an integer of any size, decimal or `0x…` |
| `{"float": "nan"}` | nan, inf, -inf |
| `{"complex": [1.0, 2.0]}` | a complex number |
| `{"dict": [[1, "a"]]}` | a dict with keys other than text, or that looks like a tag |
| `{"null": true}` | null, which TOML lacks |
| `{"null": []}` | in results of Go: a nil slice, map or set |

Results come from answers and may be anything. Decoding takes linear time and memory: results are never
hashed, since integers can be chosen to collide.
"""

import base64
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

EXACT_BITS = 53  # of integers that a float represents exactly
DECIMAL_BITS = 13_000  # of integers within Python's limit of decimal digits
INFINITE = frozenset({"nan", "inf", "-inf"})


class PlainDataError(ValueError):
    """A text or value that is not plain data."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """The elements of a set, as listed."""

    items: list[object]

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # declared by object
        return f"{{{', '.join(map(repr, self.items))}}}" if self.items else "set()"


@dataclass(frozen=True, slots=True)
class DictValue:
    """The keys and values of a dict, as listed."""

    pairs: list[tuple[object, object]]

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # declared by object
        return f"{{{', '.join(f'{key!r}: {value!r}' for key, value in self.pairs)}}}"


@dataclass(frozen=True, slots=True)
class NilValue:
    """A value that is both null and an empty list, dict or set."""

    empty: object

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # declared by object
        return "nil"


NOTHING: tuple[object, ...] = ([], {}, SetValue([]), DictValue([]))


def decode(text: str | bytes, *, nil: bool = False) -> object:
    """Decode a JSON text; raises PlainDataError for anything else.

    `nil` allows values that are both null and empty; an answer in another language could forge them.

    >>> decode('[{"tuple": [1, {"int": "0xff"}]}, {"name": null}]')
    [(1, 255), {'name': None}]
    """
    try:
        hook = _untagged_or_nil if nil else _untagged
        return json.loads(text, object_hook=hook, parse_constant=_no_constant)
    except RecursionError:
        raise PlainDataError("nested too deeply") from None
    except ValueError as error:  # invalid JSON or UTF-8, or a number with too many digits
        raise PlainDataError(str(error)) from None


def of_plain(value: object) -> object:
    """Decode plain data in memory."""
    try:
        return decode(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise PlainDataError(str(error)) from None


def as_plain(value: object) -> object:  # noqa: C901, PLR0911  # one branch per type
    """Encode a value as plain data in memory: the inverse of `of_plain`.

    >>> as_plain([(1, b"a"), DictValue([(1, float("nan"))])])
    [{'tuple': [1, {'bytes': 'YQ=='}]}, {'dict': [[1, {'float': 'nan'}]]}]
    """
    match value:
        case NilValue():
            return as_plain(value.empty)
        case list():
            return [as_plain(item) for item in value]
        case tuple():
            return {"tuple": [as_plain(item) for item in value]}
        case SetValue():
            return {"set": [as_plain(item) for item in value.items]}
        case DictValue():
            return {"dict": [[as_plain(key), as_plain(item)] for key, item in value.pairs]}
        case dict():
            return {name: as_plain(item) for name, item in value.items()}
        case bytes():
            return {"bytes": base64.b64encode(value).decode()}
        case complex():
            return {"complex": [value.real, value.imag]}
        case float() if not math.isfinite(value):
            return {"float": str(value)}
        case int() if value.bit_length() >= DECIMAL_BITS:
            return {"int": hex(value)}
    return value


def with_wide_tags(value: object) -> object:
    """Tag integers that some JSON parsers would round.

    >>> with_wide_tags((1, [2**60]))
    [1, [{'int': '1152921504606846976'}]]
    """
    if isinstance(value, list | tuple):
        return [with_wide_tags(item) for item in value]
    if isinstance(value, dict):
        return {name: with_wide_tags(item) for name, item in value.items()}
    if isinstance(value, int) and value.bit_length() > EXACT_BITS:
        return {"int": str(value) if value.bit_length() < DECIMAL_BITS else hex(value)}
    return value


def with_simple_tags(value: object) -> object:
    """Encode plain data for drivers without base64: bytes become numbers, and null has no tag.

    >>> with_simple_tags([{"bytes": "AAE="}, {"null": True}])
    [{'bytes': [0, 1]}, None]
    """
    if isinstance(value, list):
        return [with_simple_tags(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"bytes"}:
        return {"bytes": list(base64.b64decode(_text(value["bytes"]), validate=True))}
    is_null = value.keys() == {"null"}
    return None if is_null else {name: with_simple_tags(item) for name, item in value.items()}


def _untagged(table: dict[str, object]) -> object:
    if len(table) != 1:
        return table
    ((tag, content),) = table.items()
    read = _READERS.get(tag)
    if read is None:
        return table
    try:
        return read(content)
    except (TypeError, ValueError, OverflowError) as error:
        raise PlainDataError(f"{{{tag} = …}}: {error}") from None


def _untagged_or_nil(table: dict[str, object]) -> object:
    is_nil = table.keys() == {"null"} and table["null"] in NOTHING
    return NilValue(table["null"]) if is_nil else _untagged(table)


def _no_constant(text: str) -> object:
    raise PlainDataError(f"{text} is not JSON; write {{float = …}}")


def _list(content: object) -> list[object]:
    if not isinstance(content, list):
        raise PlainDataError("must hold a list")
    return content


def _text(content: object) -> str:
    if not isinstance(content, str):
        raise PlainDataError("must hold text")
    return content


def _float(content: object) -> float:
    if content not in INFINITE:
        raise PlainDataError("must be nan, inf or -inf")
    return float(_text(content))


def _complex(content: object) -> complex:
    real, imaginary = (part for part in _list(content) if isinstance(part, int | float))
    return complex(real, imaginary)


def _dict(content: object) -> DictValue:
    pairs = [_list(pair) for pair in _list(content)]
    return DictValue([(key, value) for key, value in pairs])


def _null(content: object) -> None:
    if content is not True:
        raise PlainDataError("must be true")


_READERS: Mapping[str, Callable[[object], object]] = {
    "tuple": lambda content: tuple(_list(content)),
    "set": lambda content: SetValue(_list(content)),
    "bytes": lambda content: base64.b64decode(_text(content), validate=True),
    "int": lambda content: int(_text(content), 0),
    "float": _float,
    "complex": _complex,
    "dict": _dict,
    "null": _null,
}


def shown(value: object, *, longest: int = 200) -> str:
    """Return a short form of a value for messages."""
    if isinstance(value, int) and value.bit_length() > 4 * longest:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, list | tuple) and len(value) > longest:
        value = value[:longest]
    if isinstance(value, SetValue):
        value = SetValue(value.items[:longest])
    if isinstance(value, DictValue):
        value = DictValue(value.pairs[:longest])
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # contains a long number or a deep list
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[:longest]}…"


def is_nan(value: object) -> bool:
    """Whether a value is nan."""
    return isinstance(value, float) and math.isnan(value)
