"""Name the cases that a run excludes."""

from collections.abc import Sequence

from steelyard.model.run import ExcludedCase
from steelyard.render.words import counted

CASES_NAMED = 10


def excluded_cases(excluded: Sequence[ExcludedCase]) -> str:
    """Return a line that names excluded cases.

    >>> excluded_cases([ExcludedCase(suite="s", case=name, reason="") for name in "abc"])
    '3 cases excluded: their reference fails: a, b, c'
    """
    names = ", ".join(item.case for item in excluded[:CASES_NAMED])
    more = f" and {len(excluded) - CASES_NAMED} more" if len(excluded) > CASES_NAMED else ""
    their = "its" if len(excluded) == 1 else "their"
    return f"{counted(len(excluded), 'case')} excluded: {their} reference fails: {names}{more}"
