"""Names of languages without a record, such as `lua`, from Pygments."""

from collections.abc import Mapping
from functools import cache

import pygments

PLAIN = frozenset({"text"})  # in the list, but not a language


def names_of(word: str) -> frozenset[str]:
    """Return all names of the language that a word denotes, if any.

    >>> sorted(names_of("HS")), names_of("solution")
    (['haskell', 'hs'], frozenset())
    """
    return _by_name().get(word.lower(), frozenset())


def lexers_version() -> str:
    """Return the version of the list: later ones contain more names."""
    return pygments.__version__


@cache
def _by_name() -> Mapping[str, frozenset[str]]:
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  # takes 50 ms, and few answers need it

    languages = (frozenset(map(str.lower, names)) - PLAIN for _, names, _, _ in get_all_lexers(plugins=False))
    return {name: names for names in languages for name in names}
