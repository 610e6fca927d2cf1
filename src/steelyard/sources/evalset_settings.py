"""Know the settings that each check takes, so that a misspelt one is found before anything is drawn.

Only the shipped checks that take a closed list stand here; a recipe or a plug-in may take what it likes.
"""

from collections.abc import Mapping
from difflib import get_close_matches

PYTHON = frozenset({"answer", "entry_point", "memory_mb", "module", "prefix", "runner"})
RUST = frozenset({"equality", "exports"})
TERRAFORM = frozenset({"allow", "file", "may_remove"})
TEXT = frozenset({"contains", "exact", "ignore_case", "json_schema", "regex"})

SETTINGS: Mapping[str, frozenset[str]] = {
    "python": PYTHON,
    "py": PYTHON,
    "rust": RUST,
    "rs": RUST,
    "terraform": TERRAFORM,
    "hcl": TERRAFORM,
    "tf": TERRAFORM,
    "text": TEXT,
    "json": TEXT,
}


def setting_problem(language: str, name: str) -> str | None:
    """Return what is wrong with the name of a setting, or None.

    >>> setting_problem("text", "exakt")
    "the check of text has no setting 'exakt'; did you mean 'exact'?"
    """
    known = SETTINGS.get(language)
    if known is None or name in known:
        return None
    near = get_close_matches(name, sorted(known), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(sorted(known))}"
    return f"the check of {language} has no setting {name!r}; {hint}"
