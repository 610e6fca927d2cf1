"""List the settings of each check, so a misspelt one is found before any answer is generated.

Only for shipped checks with a closed list; a recipe or a plug-in may take any setting.
"""

import json
import re
from collections.abc import Callable, Mapping

from steelyard.languages.lookup import LANGUAGES
from steelyard.model.nearest_name import did_you_mean

TEXT = frozenset(
    {
        *("contains", "csv_columns", "csv_rows", "exact", "html", "ignore_case", "json_schema", "lenient"),
        *("regex", "xml"),
    }
)
EVERY = frozenset({"policy_forbidden"})  # what the classifier takes, whatever the language

SETTINGS: Mapping[str, frozenset[str]] = {
    **{language.name: language.settings for language in LANGUAGES if language.settings},
    "text": TEXT,
    "json": TEXT,
}


def setting_problem(language: str, name: str) -> str | None:
    """Return what is wrong with the name of a setting, or None.

    >>> setting_problem("text", "exakt")
    "the check of text has no setting 'exakt'; did you mean 'exact'?"
    """
    known = SETTINGS.get(language)
    if known is None or name in known | EVERY:
        return None
    return f"the check of {language} has no setting {name!r}; {did_you_mean(name, sorted(known | EVERY))}"


def value_problem(language: str, name: str, value: str) -> str | None:
    """Return what is wrong with the value of a setting, as far as it can be checked without an answer.

    >>> value_problem("text", "regex", "(")
    'regex is no pattern: missing ), unterminated subpattern at position 0'
    """
    looks_at_it = name in EVERY or SETTINGS.get(language) is TEXT
    problem = _VALUES[name](value) if looks_at_it and name in _VALUES else None
    return problem and f"{name} {problem}"


def _no_pattern(value: str) -> str | None:
    try:
        re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        return f"is no pattern: {error}"
    return None


def _no_patterns(value: str) -> str | None:
    try:
        listed = json.loads(value)
    except ValueError:
        listed = [value]
    patterns = (
        [pattern for pattern in listed if isinstance(pattern, str)] if isinstance(listed, list) else [value]
    )
    return next(filter(None, map(_no_pattern, patterns)), None)


def _no_json(value: str) -> str | None:
    try:
        json.loads(value)
    except (ValueError, RecursionError) as error:
        return f"is no JSON: {error}"
    return None


def _no_number(value: str) -> str | None:
    return None if value.isdecimal() else f"is {value!r}, expected a whole number"


def _no_flag(value: str) -> str | None:
    return None if value.lower() in {"true", "false"} else f"is {value!r}, expected true or false"


_VALUES: Mapping[str, Callable[[str], str | None]] = {
    "csv_rows": _no_number,
    "ignore_case": _no_flag,
    "json_schema": _no_json,
    "lenient": _no_flag,
    "policy_forbidden": _no_patterns,
    "regex": _no_pattern,
}
