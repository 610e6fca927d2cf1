"""Estimate the work of validating a value against a JSON Schema.

The listed keywords visit each part of a value once, so the work is at most the parts of the schema times
those of the value. Other keywords, such as `uniqueItems`, and recursive references may need far more.
"""

import re
from collections.abc import Iterator
from typing import Any

MOST_PARTS = 2_000  # of a schema with resolved references
MOST_WORK = 50_000  # parts times parts; takes half a second at worst
CHARACTERS = 100  # that cost as much as a part of a value: messages contain them
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
# Slow patterns have two repetitions, nested or adjacent.
_REPEATED = re.compile(r"[*+?}]|\\\d")
_GROUP = re.compile(r"\(\?(?:[:=!>#]|<[=!]|P?<\w+>|[aimsux-]+[:)])")
_REPEATED_GROUP = re.compile(r"\)[*+{]")  # its alternatives may overlap, as in `(?:a|a)*`
_SHORT = 1_000  # characters


class _MuchWork(Exception):
    """The work of a schema is not bounded by its size."""


def is_little_work(value: object, text: str, schema: Any) -> bool:  # noqa: ANN401  # whatever JSON can be
    """Whether validating a value, with its JSON text, certainly takes little time.

    >>> is_little_work([1], "[1]", {"items": {"type": "integer"}})
    True
    >>> is_little_work([1], "[1]", {"items": {"$ref": "#"}})
    False
    """
    size = parts_of(value) + len(text) // CHARACTERS
    met = 0
    try:
        for parts in _parts_visited(schema, len(text)):
            met += parts
            if met > MOST_PARTS or met * size > MOST_WORK:
                return False
    except _MuchWork:
        return False
    return True


def is_quick(pattern: str, length: int) -> bool:
    """Whether a pattern is certainly quick on texts of this length.

    >>> is_quick("[ab]+c", 100), is_quick("(?:a|a)+c", 100), is_quick("(a|aa)(a|aa)c", 100)
    (True, False, False)
    """
    if _REPEATED_GROUP.search(pattern) or pattern.count("(") > 1:
        return False
    return len(_REPEATED.findall(_GROUP.sub("(", pattern))) <= 1 and length <= _SHORT


def parts_of(value: object) -> int:
    """Return the number of nested values, including keys and the value itself."""
    pending, count = [value], 0
    while pending:
        node = pending.pop()
        count += 1
        if isinstance(node, dict):
            count += len(node)
            pending += node.values()
        elif isinstance(node, list):
            pending += node
    return count


def _parts_visited(whole: Any, length: int) -> Iterator[int]:  # noqa: ANN401  # as above
    """Yield the sizes of the parts of a schema, as often as a value may meet them."""
    pending = [whole]
    while pending:
        schema = pending.pop()
        yield 1
        if not isinstance(schema, dict):
            continue
        for keyword, text in schema.items():
            pending += _schemas_in(whole, keyword, text, length)
            yield parts_of(text) if keyword in _PLAIN else 1


def _schemas_in(whole: Any, keyword: str, content: Any, length: int) -> list[Any]:  # noqa: ANN401  # as above
    """Return the subschemas that a keyword applies."""
    if keyword == "properties" and isinstance(content, dict):
        return list(content.values())
    if keyword in _HOLDING_MANY and isinstance(content, list):
        return content
    if keyword in _HOLDING_ONE and isinstance(content, dict | bool):
        return [content]
    if keyword == "$ref":
        return [_referred_to(whole, content)]
    if keyword in _PLAIN | _SILENT or (keyword == "pattern" and is_quick(content, length)):
        return []
    raise _MuchWork


def _referred_to(whole: Any, reference: str) -> Any:  # noqa: ANN401  # as above
    """Return a definition of this schema; other references are unbounded work."""
    start, _, name = reference.rpartition("/")
    contents = whole.get(start.removeprefix("#/"), {}) if start in {"#/$defs", "#/definitions"} else {}
    if name not in contents:
        raise _MuchWork
    return contents[name]
