"""Compute digests of checks: with equal digests, equal answers are checked in exactly the same way.

Prompt, reference and time limit are excluded: they do not change the verdict on an answer. Versions of
libraries are included where a setting of the case uses them, and so are npm packages with their dependencies.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

from steelyard.checks.npm import npm_tools
from steelyard.model.case import Case, environment_form
from steelyard.model.sample import text_digest

REPAIR_RULE = "2"  # raise it with any change in `text/repair.py`


def html_tools() -> dict[str, str]:
    """Return the version of the HTML parser, if installed."""
    try:
        return {"justhtml": version("justhtml")}
    except PackageNotFoundError:
        return {}


def repair_tools() -> dict[str, str]:
    """Return the version of the rules that repair JSON."""
    return {"repair": REPAIR_RULE}


def pattern_tools() -> dict[str, str]:
    """Return the version of the pattern library."""
    return {"regex": version("regex")}


# Libraries that a setting uses, besides the tools of the checker.
BY_SETTING: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "html": html_tools,
    "lenient": repair_tools,
    "policy_forbidden": pattern_tools,
    "regex": pattern_tools,
}


def check_digest(checker: str, case: Case, *, tools: Mapping[str, str] | None = None) -> str:
    """Return the digest of a checker's check of a case with these versions of tools.

    >>> case, other = Case(id="a", language="text"), Case(id="b", language="text", prompt="Why?")
    >>> check_digest("text", case) == check_digest("text", other)
    True
    >>> check_digest("text", case) == check_digest("text", case, tools={"jsonschema": "4.26.0"})
    False
    """
    form = {
        "kind": checker,
        "language": case.language,
        "dependencies": [asdict(dependency) for dependency in case.dependencies],
        "files": dict(case.files),
        "expectations": case.expectations.form(),
        "tools": {**(tools or {}), **_tools_of_settings(case), **npm_tools(case)},
    }
    task = {} if case.task is None else {"task": case.task.digest}
    return text_digest(json.dumps({**form, **task, **environment_form(case)}, sort_keys=True))


def _tools_of_settings(case: Case) -> dict[str, str]:
    used = [find() for name, find in BY_SETTING.items() if name in case.expectations.settings]
    return {tool: version for tools in used for tool, version in tools.items()}
