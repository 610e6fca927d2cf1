"""Find the JSON in an answer, strictly, and hold it against a JSON Schema."""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from steelyard.errors import InfrastructureError, InputError

PROBLEMS_SHOWN = 20
_FENCE = re.compile(r"\A\s*(?:```|~~~)[^\n]*\n(?P<inside>.*?)\n?\s*(?:```|~~~)?\s*\Z", re.DOTALL)
MISSING = "checking JSON against a schema needs the package jsonschema: `pip install steelyard[json]`"


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
    fenced = _FENCE.match(answer)
    text = fenced["inside"] if fenced else answer
    try:
        value = json.loads(text.lstrip("\ufeff"), parse_constant=_refused, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None
    return Json(value)


def problems(value: Any, schema: Any, *, where: str) -> list[str]:  # noqa: ANN401  # whatever JSON can be
    """Return what is wrong with a value, in the order of the paths; nothing is fetched from elsewhere."""
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415  # an extra, needed for this alone
        from jsonschema.exceptions import SchemaError  # noqa: PLC0415  # as above
        from jsonschema.validators import validator_for  # noqa: PLC0415  # as above
        from referencing import Registry  # noqa: PLC0415  # as above
        from referencing.exceptions import Unresolvable  # noqa: PLC0415  # as above
    except ImportError:
        raise InfrastructureError(MISSING) from None
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
        found = [
            (error.json_path, error.message[:200])
            for error in kind(schema, registry=Registry()).iter_errors(value)
        ]
    except (SchemaError, Unresolvable, RecursionError) as error:
        raise InputError(f"{where}: is no JSON Schema: {str(error)[:200]}") from None
    return [f"{path}: {message}" for path, message in sorted(found)[:PROBLEMS_SHOWN]]


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made
