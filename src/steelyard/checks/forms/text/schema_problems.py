"""Validate a value against a JSON Schema, without a time limit.

This file also runs alone in a subprocess: it imports nothing of Steelyard.
"""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

PROBLEMS_SHOWN = 20
DATA = frozenset({"const", "enum", "default", "examples"})  # they contain no schemas
_NAMED = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_DOLLAR = re.compile(r"\\.|\[\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)  # skipping escapes and sets of characters
TOO_DEEP = "$: the value is nested too deeply"


def found_problems(value: Any, schema: Any) -> list[str]:  # noqa: ANN401  # whatever JSON can be
    """Return the violations of a schema, ordered by path; raises Unresolvable."""
    validator = extend(validator_for(schema, default=Draft202012Validator), _EXACT)  # type: ignore[no-untyped-call]
    try:
        errors = validator(_anchored(schema), registry=Registry()).iter_errors(value)
        violations = sorted((error.json_path, error.message[:200]) for error in errors)
    except RecursionError:
        # Caused by the value: the schema was validated before.
        return [TOO_DEEP]
    return [f"{path}: {message}" for path, message in violations[:PROBLEMS_SHOWN]]


def _multiple_of(validator: Any, factor: Any, value: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401  # as above
    """Compare exactly by decimal digits: as floats, 0.3 / 0.1 is not 3."""
    if validator.is_type(value, "number") and Fraction(repr(value)) % Fraction(repr(factor)):
        yield ValidationError(f"{value!r} is not a multiple of {factor!r}")


def _pattern(validator: Any, pattern: Any, value: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401  # as above
    if validator.is_type(value, "string") and not re.search(_at_end(pattern), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_EXACT = {"multipleOf": _multiple_of, "pattern": _pattern}


def _anchored(schema: Any) -> Any:  # noqa: ANN401  # as above
    """Return a schema with anchored `patternProperties`."""
    if isinstance(schema, list):
        return [_anchored(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _anchored_part(key, part) for key, part in schema.items()}


def _anchored_part(key: str, part: Any) -> Any:  # noqa: ANN401  # as above
    if key in DATA:
        return part
    if key == "patternProperties" and isinstance(part, dict):
        return {_at_end(pattern): _anchored(inner) for pattern, inner in part.items()}
    if key in _NAMED and isinstance(part, dict):  # keyed by names, which may equal keywords
        return {name: _anchored(inner) for name, inner in part.items()}
    return _anchored(part)


def _at_end(pattern: str) -> str:
    r"""Replace `$` by `\Z`: in Python, `^a$` also matches "a\n"."""
    return _DOLLAR.sub(lambda part: r"\Z" if part[0] == "$" else part[0], pattern)


def report() -> None:
    """Read a value and a schema from standard input and print the violations or an unresolvable reference."""
    try:
        problems: object = found_problems(*json.load(sys.stdin))
    except Unresolvable as error:
        problems = str(error)
    except RecursionError:
        problems = [TOO_DEEP]
    json.dump(problems, sys.stdout)
