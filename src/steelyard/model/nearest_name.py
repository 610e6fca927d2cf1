"""Say which name was meant, where one is not known."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 40
CUTOFF = 0.6  # the library's own measure of how alike two names are


def did_you_mean(
    name: str, known: Iterable[str], *, otherwise: str = "there is", cutoff: float = CUTOFF
) -> str:
    """Return a question for the nearest known name; where none is near, which names there are.

    >>> did_you_mean("exakt", ["exact", "lines"])
    "did you mean 'exact'?"
    >>> did_you_mean("speed", ["exact", "lines"], otherwise="choose from")
    'choose from exact, lines'
    """
    names = list(known)
    if near := get_close_matches(name, names, n=1, cutoff=cutoff):
        return f"did you mean {near[0]!r}?"
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{otherwise} {', '.join(names[:MOST_LISTED]) or 'none'}{more}"
