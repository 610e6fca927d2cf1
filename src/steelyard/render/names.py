"""Escape untrusted text for display.

Names of models and cases come from untrusted files, and a terminal obeys escape codes.
"""

from collections.abc import Iterable

from steelyard.errors import InputError

NOTHING = '""'


def visible(text: str) -> str:
    r"""Return the text with invisible characters escaped.

    Line breaks, escape codes, marks that turn the writing direction and halves of characters are among these.

    >>> print(visible("red: \x1b[31m"))
    red: \x1b[31m
    """
    if text.isprintable():
        return text or NOTHING
    return "".join(_spelt_out(character) for character in text)


def encodable(text: str) -> str:
    """Return the text if a UTF-8 file can hold it; a file name that is no text holds half characters."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        near = visible(text[max(0, error.start - 20) : error.end])
        raise InputError(
            f"a name holds half a character and cannot be written, near {near!r}; rename the file or the case"
        ) from error
    return text


def shortened(text: str, limit: int) -> str:
    """Return the text, or its beginning with a note of its length.

    >>> shortened("abcdefgh", limit=4)
    'abcd… (8 characters)'
    """
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def has_several(names: Iterable[str]) -> bool:
    """Whether more than one name is among these."""
    return len(set(names)) > 1


def _spelt_out(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
