"""Hold a value against a JSON Schema, however long that takes.

The text of this file is also run alone, in a process that can be stopped: it imports nothing of Steelyard.
"""

import json
import sys
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

PROBLEMS_SHOWN = 20
TOO_DEEP = "$: the value is nested too deeply to be compared"


def found_problems(value: Any, schema: Any) -> list[str]:  # noqa: ANN401  # whatever JSON can be
    """Return what is wrong with a value, in the order of the paths; raises Unresolvable."""
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        errors = kind(schema, registry=Registry()).iter_errors(value)
        found = sorted((error.json_path, error.message[:200]) for error in errors)
    except RecursionError:
        # By the value, not by the schema, which was looked at before.
        return [TOO_DEEP]
    return [f"{path}: {message}" for path, message in found[:PROBLEMS_SHOWN]]


def report() -> None:
    """Read a value and a schema, and write the problems, or the reference that leads nowhere."""
    try:
        said: object = found_problems(*json.load(sys.stdin))
    except Unresolvable as error:
        said = str(error)
    except RecursionError:
        said = [TOO_DEEP]
    json.dump(said, sys.stdout)
