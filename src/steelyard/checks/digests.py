"""Name a check: equal names mean that an equal answer would be checked in exactly the same way.

The prompt, the reference and the time limit are not part of it: they change no verdict on a given answer.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from steelyard.model.case import Case
from steelyard.model.sample import text_digest

REMEMBERED = 1_000  # checks

# By what the case holds: the same objects say the same, since nobody changes them. The case is kept beside
# its digest, so that no other objects can come to the same addresses.
_known: dict[tuple[object, ...], tuple[Case, str]] = {}


def check_digest(kind: str, case: Case, *, tools: Mapping[str, str] | None = None) -> str:
    """Return the name of what `kind` of checker does for a case with tools of these versions.

    >>> one, other = Case(id="a", language="text"), Case(id="b", language="text", prompt="Why?")
    >>> check_digest("text", one) == check_digest("text", other)
    True
    >>> check_digest("text", one) == check_digest("text", one, tools={"jsonschema": "4.26.0"})
    False
    """
    used = dict(tools or {})
    held = (id(case.dependencies), id(case.files), id(case.expectations))
    key = (kind, case.language, *held, *sorted(used.items()))
    if key not in _known:
        if len(_known) >= REMEMBERED:
            _known.clear()
        _known[key] = case, _digest(kind, case, used)
    return _known[key][1]


def _digest(kind: str, case: Case, tools: Mapping[str, str]) -> str:
    said = {
        "kind": kind,
        "language": case.language,
        "dependencies": [asdict(dependency) for dependency in case.dependencies],
        "files": dict(case.files),
        "expectations": {**asdict(case.expectations), "settings": dict(case.expectations.settings)},
        "tools": dict(tools),
    }
    return text_digest(json.dumps(said, sort_keys=True))
