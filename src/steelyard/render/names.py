"""Escape untrusted text for display.

Names of models and cases are untrusted, and terminals interpret escape codes.
"""

from collections.abc import Iterable

from steelyard.errors import InputError

NOTHING = '""'


def visible(text: str) -> str:
    r"""Escape invisible characters: line breaks, control codes, bidirectional marks, lone surrogates.

    >>> print(visible("red: \x1b[31m"))
    red: \x1b[31m
    """
    if text.isprintable():
        return text or NOTHING
    return "".join(_escape(character) for character in text)


def encodable(text: str) -> str:
    """Return the text if UTF-8 can encode it.

    Raises:
        InputError: It has a lone surrogate, as from an undecodable file name.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        near = visible(text[max(0, error.start - 20) : error.end])
        raise InputError(
            f"a name cannot be encoded as UTF-8, near {near!r}; rename the file or the case"
        ) from error
    return text


def shortened(text: str, limit: int) -> str:
    """Truncate a text, with a note of its length.

    >>> shortened("abcdefgh", limit=4)
    'abcd… (8 characters)'
    """
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def has_several(names: Iterable[str]) -> bool:
    """Whether there is more than one distinct name."""
    return len(set(names)) > 1


def _escape(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
