"""Find the JSON in an answer, strictly, and hold it against a JSON Schema."""

import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from steelyard.checks.patterns import run_apart
from steelyard.checks.text.formats import unfenced
from steelyard.errors import InfrastructureError, InputError, install_extra

PROBLEMS_SHOWN = 20
LIMIT_S = 10.0
TOO_DEEP = "$: the value is nested too deeply to be compared"
MISSING = f"checking JSON against a schema needs the package jsonschema: {install_extra('json')}"
# Two repetitions of which one stands in the other, or side by side, are what it takes to be slow.
_REPEATED = re.compile(r"[*+?}]|\\\d")
_GROUP = re.compile(r"\(\?(?:[:=!>#]|<[=!]|P?<\w+>|[aimsux-]+[:)])")
_SHORT = 10_000
_DATA = frozenset({"const", "enum", "default", "examples"})  # what stands below them is no schema
_REPEATED_GROUP = re.compile(r"\)[*+{]")  # its alternatives may overlap, as in `(?:a|a)*`
_APART = """
import json, sys
from steelyard.checks.text.json import found_problems
value, schema = json.load(sys.stdin)
json.dump(found_problems(value, schema), sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value, which may be null."""

    value: object


def json_in(answer: str) -> Json | None:
    r"""Return the value that an answer is, with or without a fence around it; prose around it makes it none.

    A key that stands twice, NaN and Infinity are no JSON.

    >>> json_in('```json\n{"a": null}\n```')
    Json(value={'a': None})
    >>> json_in('Sure: {"a": 1}') is None
    True
    """
    text = unfenced(answer).strip().removeprefix("\ufeff")
    try:
        value = json.loads(text, parse_constant=_refused, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None
    return Json(value)


def problems(value: Any, schema: Any, *, where: str, limit_s: float = LIMIT_S) -> list[str]:  # noqa: ANN401  # whatever JSON can be
    """Return what is wrong with a value, in the order of the paths; nothing is fetched from elsewhere.

    The schema must be a good one. If its patterns may take for ever on a value, it is held against it in a
    process that can be stopped: raises PatternTimeout.
    """
    try:
        longest = max((len(text) for text in _texts(value)), default=0)
        if all(is_quick(pattern, longest) for pattern in _patterns(schema)):
            return found_problems(value, schema)
        said = run_apart(_APART, json.dumps([value, schema]), limit_s=limit_s)
        return [str(line) for line in json.loads(said)]
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except RecursionError:
        # By the value, not by the schema, which was looked at before.
        return [TOO_DEEP]


def is_quick(pattern: str, length: int) -> bool:
    """Whether a pattern cannot take long on a text of this length, by what it is made of.

    >>> is_quick("[ab]+c", 100), is_quick("(?:a|a)+c", 100)
    (True, False)
    """
    if _REPEATED_GROUP.search(pattern):
        return False
    return len(_REPEATED.findall(_GROUP.sub("(", pattern))) <= 1 and length <= _SHORT


def found_problems(value: Any, schema: Any) -> list[str]:  # noqa: ANN401  # as above
    """Return what is wrong with a value, however long it takes."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # an extra, needed for this alone
    from jsonschema.validators import validator_for  # noqa: PLC0415  # as above
    from referencing import Registry  # noqa: PLC0415  # as above
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  # as above

    kind = validator_for(schema, default=Draft202012Validator)
    try:
        errors = kind(schema, registry=Registry()).iter_errors(value)
        found = sorted((error.json_path, error.message[:200]) for error in errors)
    except Unresolvable as error:
        raise InputError(_unresolved(error)) from None
    return [f"{path}: {message}" for path, message in found[:PROBLEMS_SHOWN]]


def require_good_schema(schema: Any, where: str) -> None:  # noqa: ANN401  # as above
    """Refuse what is no JSON Schema, before an answer is looked at, so that no answer is blamed for it."""
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415  # as above
        from jsonschema.exceptions import SchemaError  # noqa: PLC0415  # as above
        from jsonschema.validators import validator_for  # noqa: PLC0415  # as above
        from referencing.exceptions import Unresolvable  # noqa: PLC0415  # as above
    except ImportError:
        raise InfrastructureError(MISSING) from None
    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
        for pattern in _patterns(schema):
            re.compile(pattern)
        _look_up_references(schema)
    except Unresolvable as error:
        raise InputError(f"{where}: {_unresolved(error)}") from None
    except (SchemaError, RecursionError, re.error) as error:
        raise InputError(f"{where}: is no JSON Schema: {str(error)[:200]}") from None


def _unresolved(error: Exception) -> str:
    return f"is no JSON Schema: it refers to what is not in it: {str(error)[:200]}"


def _look_up_references(schema: Any) -> None:  # noqa: ANN401  # as above
    """Raise Unresolvable for a reference that leads nowhere.

    Where a part has an address of its own, or holds data, it is left to the check of an answer.
    """
    from referencing import Registry, Resource  # noqa: PLC0415  # as above
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415  # as above

    whole = Resource.from_contents(schema, default_specification=DRAFT202012)
    base = whole.id() or ""
    resolver = Registry().with_resource(base, whole).resolver(base)
    parts = list(_members(schema, without=_DATA))
    if sum(key == "$id" for key, _ in parts) > (whole.id() is not None):
        return
    for key, value in parts:
        if key == "$ref" and isinstance(value, str):
            resolver.lookup(value)


def _patterns(schema: object) -> Iterator[str]:
    """Give every pattern in a schema, and some texts that only look like one, which does no harm."""
    for key, value in _members(schema):
        if key == "pattern" and isinstance(value, str):
            yield value
        elif key == "patternProperties" and isinstance(value, dict):
            yield from value


def _texts(value: object) -> Iterator[str]:
    for key, inner in _members([value]):
        yield from [text for text in (key, inner) if isinstance(text, str)]


def _members(value: object, *, without: Container[str] = ()) -> Iterator[tuple[str | None, object]]:
    """Give everything inside a value, with its key where it has one, but nothing below some keys."""
    pending: list[tuple[str | None, object]] = [(None, value)]
    while pending:
        key, one = pending.pop()
        yield key, one
        if isinstance(one, dict):
            pending += ((key, inner) for key, inner in one.items() if key not in without)
        elif isinstance(one, list):
            pending += ((None, inner) for inner in one)


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made
