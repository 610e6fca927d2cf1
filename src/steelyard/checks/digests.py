"""Name a check: equal names mean that an equal answer would be checked in exactly the same way.

The prompt, the reference and the time limit are not part of it: they change no verdict on a given answer.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from steelyard.model.case import Case
from steelyard.model.sample import text_digest


def check_digest(kind: str, case: Case, *, tools: Mapping[str, str] | None = None) -> str:
    """Return the name of what `kind` of checker does for a case with tools of these versions.

    >>> one, other = Case(id="a", language="text"), Case(id="b", language="text", prompt="Why?")
    >>> check_digest("text", one) == check_digest("text", other)
    True
    >>> check_digest("text", one) == check_digest("text", one, tools={"jsonschema": "4.26.0"})
    False
    """
    said = {
        "kind": kind,
        "language": case.language,
        "dependencies": [asdict(dependency) for dependency in case.dependencies],
        "files": dict(case.files),
        "expectations": {**asdict(case.expectations), "settings": dict(case.expectations.settings)},
        "tools": dict(tools or {}),
    }
    return text_digest(json.dumps(said, sort_keys=True))
