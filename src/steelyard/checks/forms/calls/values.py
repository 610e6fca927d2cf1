"""Decode plain data: JSON, and tables with one key for the types that JSON lacks.

| in JSON | stands for |
|---|---|
| `{"tuple": [1, 2]}` | a tuple |
| `{"set": [1, 2]}` | a set |
| `{"bytes": "AAE="}` | bytes, in base64 |
| `{"int": "123…"}` | a whole number of any size, decimal or `0x…` |
| `{"float": "nan"}` | nan, inf, -inf |
| `{"complex": [1.0, 2.0]}` | a complex number |
| `{"dict": [[1, "a"]]}` | a table whose keys are not all text, or one that looks like a tag |
| `{"null": true}` | null, which TOML cannot say |
| `{"null": []}` | in results of Go: nil where a list, a table or a set may stand |

A result comes from an answer and may be anything. Decoding takes time and memory in proportion to the length
of the text: no result is put into a hash table, since whole numbers can be chosen to collide.
"""

import base64
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

EXACT_BITS = 53  # of a whole number that a float holds exactly
DECIMAL_BITS = 13_000  # of one whose decimal digits Python reads
INFINITE = frozenset({"nan", "inf", "-inf"})


class PlainDataError(ValueError):
    """A text or a value that is no plain data."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """The elements of a set, as they were listed."""

    items: list[object]

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # as every class has it
        return f"{{{', '.join(map(repr, self.items))}}}" if self.items else "set()"


@dataclass(frozen=True, slots=True)
class DictValue:
    """The keys and values of a table, as they were listed."""

    pairs: list[tuple[object, object]]

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # as every class has it
        return f"{{{', '.join(f'{key!r}: {value!r}' for key, value in self.pairs)}}}"


@dataclass(frozen=True, slots=True)
class NilValue:
    """A value that is null and, just as well, an empty list, table or set."""

    empty: object

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # as every class has it
        return "nil"


NOTHING: tuple[object, ...] = ([], {}, SetValue([]), DictValue([]))


def decode(text: str | bytes, *, nil: bool = False) -> object:
    """Return the value that a JSON text stands for; raises PlainDataError for anything else.

    A value that equals both null and empty is read only from a language that has one: others could claim it.

    >>> decode('[{"tuple": [1, {"int": "0xff"}]}, {"name": null}]')
    [(1, 255), {'name': None}]
    """
    try:
        hook = _untagged_or_nil if nil else _untagged
        return json.loads(text, object_hook=hook, parse_constant=_no_constant)
    except RecursionError:
        raise PlainDataError("nested too deeply") from None
    except ValueError as error:  # no JSON, no UTF-8, a number of too many digits
        raise PlainDataError(str(error)) from None


def of_plain(value: object) -> object:
    """Return the value that plain data in memory stands for."""
    try:
        return decode(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise PlainDataError(str(error)) from None


def as_plain(value: object) -> object:  # noqa: C901, PLR0911  # one for each type
    """Return plain data in memory that stands for a value: the reverse of `of_plain`.

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
    """Return plain data with tags for whole numbers that some readers of JSON would round.

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
    """Return plain data for a driver without base64: the bytes are numbers, and null needs no tag.

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
    raise PlainDataError(f"{text} is no JSON; write {{float = …}}")


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
    """Return the beginning of a value, for a message."""
    if isinstance(value, int) and value.bit_length() > 4 * longest:
        return f"a whole number of {value.bit_length()} bits"
    if isinstance(value, list | tuple) and len(value) > longest:
        value = value[:longest]
    if isinstance(value, SetValue):
        value = SetValue(value.items[:longest])
    if isinstance(value, DictValue):
        value = DictValue(value.pairs[:longest])
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a long number or a deep list within
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[:longest]}…"


def is_nan(value: object) -> bool:
    """Whether a value is the float that differs from itself."""
    return isinstance(value, float) and math.isnan(value)
