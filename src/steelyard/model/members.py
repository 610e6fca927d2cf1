"""Take a member of a list of choices, or its text."""

from enum import StrEnum
from typing import TypeVar

from steelyard.errors import UserError

Choice = TypeVar("Choice", bound=StrEnum)


def member(kind: type[Choice], given: Choice | str, *, option: str) -> Choice:
    """Return the member that is meant; another text is refused, and never taken for one of them.

    >>> from steelyard.model.outcome import Integrity
    >>> member(Integrity, "sealed", option="require_integrity")
    <Integrity.SEALED: 'sealed'>
    """
    try:
        return kind(given)
    except ValueError:
        raise UserError(f"`{option}={given}`: expected {' or '.join(kind)}") from None
