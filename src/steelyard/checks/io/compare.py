"""Compare what a program printed with what is expected."""

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext

from steelyard.model.graded import Compare

# Digits beyond those of any tolerance; numbers may be of any size, and what is too small is nothing.
EXACT_ENOUGH = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def is_same(expected: str, printed: str, *, compare: Compare, tolerance: float | None = None) -> bool:
    r"""Whether a program printed what is expected.

    >>> is_same("1 2\n", "1  2", compare=Compare.LINES), is_same("1 2\n", "1  2", compare=Compare.TOKENS)
    (False, True)
    >>> is_same("0.5 s\n", "5e-1 s\n", compare=Compare.NUMBERS)
    True
    """
    match compare:
        case Compare.EXACT:
            return expected == printed
        case Compare.TOKENS:
            return expected.split() == printed.split()
        case Compare.NUMBERS:
            wanted, words = expected.split(), printed.split()
            return len(wanted) == len(words) and all(
                _is_close(one, other, tolerance or 0.0) for one, other in zip(wanted, words, strict=True)
            )
    return _lines(expected) == _lines(printed)


def _lines(text: str) -> list[str]:
    """Return the lines of a text without blanks at their ends and empty ones at the end."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _is_close(expected: str, word: str, tolerance: float) -> bool:
    if expected == word:
        return True
    try:
        as_floats = float(expected), float(word)  # which also says what is a number
        one, other = Decimal(expected), Decimal(word)
    except (ValueError, InvalidOperation):
        return False
    if not (one.is_finite() and other.is_finite()):
        return one == other or (one.is_nan() and other.is_nan())
    if tolerance:
        return _is_near(one, other, Decimal(tolerance))
    # A fraction may be written with more digits than its float has. As floats, long whole numbers that differ
    # would be equal, and so would all that are too large for one.
    is_fraction = not expected.lstrip("+-").isdigit() and math.isfinite(as_floats[0])
    return one == other or (is_fraction and as_floats[0] == as_floats[1])


def _is_near(one: Decimal, other: Decimal, tolerance: Decimal) -> bool:
    with localcontext(EXACT_ENOUGH):
        largest = max(abs(one), abs(other), Decimal(1))
        return abs(one - other) <= tolerance * largest
