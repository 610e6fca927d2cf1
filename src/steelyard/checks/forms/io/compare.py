"""Compare what a program printed with what is expected."""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext

from steelyard.model.graded import Compare

# Digits beyond those of any tolerance; numbers may be of any size, and what is too small is nothing.
EXACT_ENOUGH = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
RULE = "3"  # raised when an equal output may be judged differently
BLANKS = " \t\r"
# `float` and `Decimal` take more: underscores, digits of other scripts, and odd blanks around them.
NUMBER = re.compile(
    rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|infinity|nan)", re.IGNORECASE
)


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
            return _words(expected) == _words(printed)
        case Compare.NUMBERS:
            requested, words = _words(expected), _words(printed)
            return len(requested) == len(words) and all(
                _is_close(item, other, tolerance or 0.0) for item, other in zip(requested, words, strict=True)
            )
    return _lines(expected) == _lines(printed)


def _lines(text: str) -> list[str]:
    """Return the lines of a text without blanks at their ends and empty ones at the end."""
    # `splitlines` would take form feeds and the like for ends of lines too.
    return [line.rstrip(BLANKS) for line in text.rstrip(f"{BLANKS}\n").split("\n")]


def _words(text: str) -> list[bytes]:
    """Return what stands between blanks of ASCII; those of other scripts are part of a word."""
    return text.encode("utf-8", "surrogatepass").split()


def _is_close(expected: bytes, word: bytes, tolerance: float) -> bool:
    if expected == word:
        return True
    if not (NUMBER.fullmatch(expected) and NUMBER.fullmatch(word)):
        return False
    try:
        item, other = Decimal(expected.decode()), Decimal(word.decode())
    except InvalidOperation:  # an exponent beyond all bounds
        return False
    if not (item.is_finite() and other.is_finite()):
        return item == other or (item.is_nan() and other.is_nan())
    if tolerance:
        return _is_near(item, other, Decimal(tolerance))
    # A fraction may be written with more digits than its float has. As floats, long whole numbers that differ
    # would be equal, and so would all that are too large or too small for one.
    nearest = float(expected)
    is_fraction = not expected.lstrip(b"+-").isdigit() and math.isfinite(nearest) and nearest != 0
    return item == other or (is_fraction and nearest == float(word))


def _is_near(decimal: Decimal, other: Decimal, tolerance: Decimal) -> bool:
    with localcontext(EXACT_ENOUGH):
        largest = max(abs(decimal), abs(other), Decimal(1))
        return abs(decimal - other) <= tolerance * largest
