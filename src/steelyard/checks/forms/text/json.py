"""Parse the JSON of an answer strictly and validate it against a JSON Schema."""

import inspect
import json
import math
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from steelyard.checks.forms.text.formats import unfenced
from steelyard.checks.forms.text.schema_work import is_little_work
from steelyard.checks.grading.patterns import PatternTimeout, run_in_subprocess
from steelyard.errors import InfrastructureError, InputError, install_extra

LIMIT_S = 10.0
MISSING = f"checking JSON against a schema needs the package jsonschema: {install_extra('json')}"
_DATA = frozenset({"const", "enum", "default", "examples"})  # they contain no schemas
# jsonschema imports them for `format`, which is not used; the first takes seconds.
_WITHOUT_FORMATS = """
import sys
sys.modules.update(dict.fromkeys(["rfc3987_syntax", "isoduration"]))
"""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value, which may be null."""

    value: object


def json_in(answer: str) -> Json | None:
    r"""Return the JSON value of an answer, possibly fenced; None with other text around it.

    Repeated keys, NaN, Infinity and numbers out of range, such as 1e999, are invalid.

    >>> json_in('```json\n{"a": null}\n```')
    Json(value={'a': None})
    >>> json_in('Sure: {"a": 1}') is None
    True
    """
    text = unfenced(answer).strip().removeprefix("\ufeff")
    try:
        value = strict_json(text)
    except (ValueError, RecursionError):
        return None
    return Json(value)


def strict_json(text: str) -> Any:  # noqa: ANN401  # any JSON value
    """Parse JSON; raises ValueError, also for Python's extensions."""
    return json.loads(text, parse_constant=_reject_constant, parse_float=_finite, object_pairs_hook=_object)


def problems(value: Any, schema: Any, *, where: str, limit_s: float = LIMIT_S) -> list[str]:  # noqa: ANN401  # whatever JSON can be
    """Return the violations of a valid schema, ordered by path; remote references are not loaded.

    Validation that may take long runs in a subprocess with a time limit: raises PatternTimeout.
    """
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  # an extra, needed for this alone

    from steelyard.checks.forms.text.schema_problems import TOO_DEEP, found_problems  # noqa: PLC0415  # as above

    try:
        text = json.dumps(value)
        if not is_little_work(value, text, schema):
            return _problems_in_subprocess(text, schema, where=where, limit_s=limit_s)
        return found_problems(value, schema)
    except Unresolvable as error:
        raise InputError(f"{where}: {_unresolved(error)}") from None
    except RecursionError:
        return [TOO_DEEP]


def _problems_in_subprocess(text: str, schema: object, *, where: str, limit_s: float) -> list[str]:
    from steelyard.checks.forms.text import schema_problems  # noqa: PLC0415  # as above

    imports = _WITHOUT_FORMATS + inspect.getsource(schema_problems)
    try:
        arguments = f"[{text}, {json.dumps(schema)}]"
        output = run_in_subprocess("report()", arguments, imports=imports, limit_s=limit_s)
    except PatternTimeout:
        raise PatternTimeout("validating it against the schema") from None
    violations = json.loads(output)
    if isinstance(violations, str):
        raise InputError(f"{where}: {_unresolved(violations)}")
    return [str(line) for line in violations]


def require_valid_schema(schema: Any, where: str) -> None:  # noqa: ANN401  # as above
    """Raise InputError for an invalid JSON Schema, before any answer is validated."""
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
        raise InputError(f"{where}: is not a JSON Schema: {str(error)[:200]}") from None


def _unresolved(error: object) -> str:
    return f"is not a JSON Schema: unresolvable reference: {str(error)[:200]}"


def _look_up_references(schema: Any) -> None:  # noqa: ANN401  # as above
    """Raise Unresolvable for unresolvable references.

    Schemas with nested `$id` and references in data are only resolved when answers are validated.
    """
    from referencing import Registry, Resource  # noqa: PLC0415  # as above
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415  # as above

    from_contents = Resource.from_contents(schema, default_specification=DRAFT202012)
    base = from_contents.id() or ""
    resolver = Registry().with_resource(base, from_contents).resolver(base)
    parts = list(_members(schema, without=_DATA))
    if sum(key == "$id" for key, _ in parts) > (from_contents.id() is not None):
        return
    for key, value in parts:
        if key == "$ref" and isinstance(value, str):
            resolver.lookup(value)


def _patterns(schema: object) -> Iterator[str]:
    """Yield every pattern of a schema, and possibly harmless other texts."""
    for key, value in _members(schema):
        if key == "pattern" and isinstance(value, str):
            yield value
        elif key == "patternProperties" and isinstance(value, dict):
            yield from value


def _members(value: object, *, without: Container[str] = ()) -> Iterator[tuple[str | None, object]]:
    """Yield all nested values with their keys, except below some keys."""
    pending: list[tuple[str | None, object]] = [(None, value)]
    while pending:
        key, node = pending.pop()
        yield key, node
        if isinstance(node, dict):
            pending += ((name, inner) for name, inner in node.items() if name not in without)
        elif isinstance(node, list):
            pending += ((None, inner) for inner in node)


def _reject_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is out of range")
    return number


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("repeated key")
    return table
