"""Name a check: equal names mean that an equal answer would be checked in exactly the same way.

The prompt, the reference and the time limit are not part of it: they change no verdict on a given answer. A
library that reads answers is, by its version, where a setting of the case makes use of it. So are the npm
packages that an answer may import, with all that they need in turn.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict

from steelyard.checks.grading.reader_versions import html_tools, pattern_tools, repair_tools
from steelyard.checks.npm import npm_tools
from steelyard.model.case import Case, environment_form
from steelyard.model.sample import text_digest

# What a setting brings in besides the tools of its checker.
BY_SETTING: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "html": html_tools,
    "lenient": repair_tools,
    "policy_forbidden": pattern_tools,
    "regex": pattern_tools,
}


def check_digest(kind: str, case: Case, *, tools: Mapping[str, str] | None = None) -> str:
    """Return the name of what `kind` of checker does for a case with tools of these versions.

    >>> one, other = Case(id="a", language="text"), Case(id="b", language="text", prompt="Why?")
    >>> check_digest("text", one) == check_digest("text", other)
    True
    >>> check_digest("text", one) == check_digest("text", one, tools={"jsonschema": "4.26.0"})
    False
    """
    form = {
        "kind": kind,
        "language": case.language,
        "dependencies": [asdict(dependency) for dependency in case.dependencies],
        "files": dict(case.files),
        "expectations": case.expectations.form(),
        "tools": {**(tools or {}), **_tools_of_settings(case), **npm_tools(case)},
    }
    return text_digest(json.dumps({**form, **environment_form(case)}, sort_keys=True))


def _tools_of_settings(case: Case) -> dict[str, str]:
    used = [find() for name, find in BY_SETTING.items() if name in case.expectations.settings]
    return {tool: version for tools in used for tool, version in tools.items()}
