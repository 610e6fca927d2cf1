"""Know the names of languages that we have no rules for, such as `lua`: Pygments lists over 900.

Only names; what code of such a language looks like is not known here.
"""

from collections.abc import Mapping
from functools import cache

import pygments

PLAIN = frozenset({"text"})  # listed beside the languages, and the name of none


def names_of(word: str) -> frozenset[str]:
    """Return every name of the language that a word stands for; a word that stands for none has none.

    >>> sorted(names_of("HS")), names_of("solution")
    (['haskell', 'hs'], frozenset())
    """
    return _by_name().get(word.lower(), frozenset())


def lexers_version() -> str:
    """Return the version of the list: a later one may know more names."""
    return pygments.__version__


@cache
def _by_name() -> Mapping[str, frozenset[str]]:
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  # takes 50 ms, and most answers need no list

    languages = (frozenset(map(str.lower, names)) - PLAIN for _, names, _, _ in get_all_lexers(plugins=False))
    return {name: names for names in languages for name in names}
