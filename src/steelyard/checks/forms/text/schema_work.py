"""Tell how much work it is to hold a value against a JSON Schema, before it is done.

A keyword of these lists looks at each part of a value once, so the work is at most the parts of the schema
times those of the value. Other keywords, such as `uniqueItems`, may need far more. So may a reference that
leads back to where it stands: it is followed each time, and never comes to an end.
"""

import re
from collections.abc import Iterator
from typing import Any

MOST_PARTS = 2_000  # of a schema; references may make more of them than stand there
MOST_WORK = 50_000  # parts times parts; takes half a second at worst
CHARACTERS = 100  # of a value that are as much work as a part of it: a message shows them
_HOLDING_ONE = frozenset(
    {"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"}
)
_HOLDING_MANY = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_SILENT = frozenset(
    {
        *("$schema", "$comment", "$defs", "definitions", "title", "description", "default", "examples"),
        *("deprecated", "format", "readOnly", "writeOnly"),
    }
)
_PLAIN = frozenset(
    {
        *("type", "enum", "const", "required", "dependentRequired", "multipleOf", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"),
        *("minContains", "maxContains", "minProperties", "maxProperties"),
    }
)
# Two repetitions of which one stands in the other, or side by side, are what it takes to be slow.
_REPEATED = re.compile(r"[*+?}]|\\\d")
_GROUP = re.compile(r"\(\?(?:[:=!>#]|<[=!]|P?<\w+>|[aimsux-]+[:)])")
_REPEATED_GROUP = re.compile(r"\)[*+{]")  # its alternatives may overlap, as in `(?:a|a)*`
_SHORT = 1_000  # characters


class _MuchWork(Exception):
    """A schema may need more work than its length shows."""


def is_little_work(value: object, text: str, schema: Any) -> bool:  # noqa: ANN401  # whatever JSON can be
    """Whether a value, which is this text in JSON, is held against a schema in a moment, whatever it is.

    >>> is_little_work([1], "[1]", {"items": {"type": "integer"}})
    True
    >>> is_little_work([1], "[1]", {"items": {"$ref": "#"}})
    False
    """
    size = parts_of(value) + len(text) // CHARACTERS
    met = 0
    try:
        for parts in _parts_met(schema, len(text)):
            met += parts
            if met > MOST_PARTS or met * size > MOST_WORK:
                return False
    except _MuchWork:
        return False
    return True


def is_quick(pattern: str, length: int) -> bool:
    """Whether a pattern cannot take long on a text of this length, by what it is made of.

    >>> is_quick("[ab]+c", 100), is_quick("(?:a|a)+c", 100), is_quick("(a|aa)(a|aa)c", 100)
    (True, False, False)
    """
    if _REPEATED_GROUP.search(pattern) or pattern.count("(") > 1:
        return False
    return len(_REPEATED.findall(_GROUP.sub("(", pattern))) <= 1 and length <= _SHORT


def parts_of(value: object) -> int:
    """Return how many values there are in a value, with itself and its keys."""
    pending, count = [value], 0
    while pending:
        item = pending.pop()
        count += 1
        if isinstance(item, dict):
            count += len(item)
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return count


def _parts_met(whole: Any, length: int) -> Iterator[int]:  # noqa: ANN401  # as above
    """Give the parts of a schema, by their number, as often as a value may meet them."""
    pending = [whole]
    while pending:
        schema = pending.pop()
        yield 1
        if not isinstance(schema, dict):
            continue
        for keyword, text in schema.items():
            pending += _schemas_in(whole, keyword, text, length)
            yield parts_of(text) if keyword in _PLAIN else 1


def _schemas_in(whole: Any, keyword: str, said: Any, length: int) -> list[Any]:  # noqa: ANN401  # as above
    """Return the schemas that a keyword holds a value, or parts of it, against."""
    if keyword == "properties" and isinstance(said, dict):
        return list(said.values())
    if keyword in _HOLDING_MANY and isinstance(said, list):
        return said
    if keyword in _HOLDING_ONE and isinstance(said, dict | bool):
        return [said]
    if keyword == "$ref":
        return [_referred_to(whole, said)]
    if keyword in _PLAIN | _SILENT or (keyword == "pattern" and is_quick(said, length)):
        return []
    raise _MuchWork


def _referred_to(whole: Any, reference: str) -> Any:  # noqa: ANN401  # as above
    """Return a definition of this schema; what else can be referred to is not looked for."""
    start, _, name = reference.rpartition("/")
    contents = whole.get(start.removeprefix("#/"), {}) if start in {"#/$defs", "#/definitions"} else {}
    if name not in contents:
        raise _MuchWork
    return contents[name]
