"""Compare the output of a program with the expected output."""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext

from steelyard.model.graded import Compare

# More digits than any tolerance has; exponents of any size, with underflow to zero.
EXACT_ENOUGH = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
RULE = "3"  # raise it when equal outputs may be graded differently
BLANKS = " \t\r"
# Stricter than `float` and `Decimal`, which accept underscores and digits of other scripts.
NUMBER = re.compile(
    rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|infinity|nan)", re.IGNORECASE
)


def is_same(expected: str, printed: str, *, compare: Compare, tolerance: float | None = None) -> bool:
    r"""Whether the output matches the expected one.

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
            wanted, words = _words(expected), _words(printed)
            return len(wanted) == len(words) and all(
                _is_close(word, other, tolerance or 0.0) for word, other in zip(wanted, words, strict=True)
            )
    return _lines(expected) == _lines(printed)


def _lines(text: str) -> list[str]:
    """Return the lines of a text without trailing blanks and empty lines."""
    # `splitlines` would also split at form feeds and others.
    return [line.rstrip(BLANKS) for line in text.rstrip(f"{BLANKS}\n").split("\n")]


def _words(text: str) -> list[bytes]:
    """Split at ASCII whitespace only."""
    return text.encode("utf-8", "surrogatepass").split()


def _is_close(expected: bytes, word: bytes, tolerance: float) -> bool:
    if expected == word:
        return True
    if not (NUMBER.fullmatch(expected) and NUMBER.fullmatch(word)):
        return False
    try:
        number, other = Decimal(expected.decode()), Decimal(word.decode())
    except InvalidOperation:  # an exponent out of range
        return False
    if not (number.is_finite() and other.is_finite()):
        return number == other or (number.is_nan() and other.is_nan())
    if tolerance:
        return _is_near(number, other, Decimal(tolerance))
    # A fraction may have more digits than its float. Long integers, and numbers that overflow or underflow,
    # must not compare as floats: different ones would be equal.
    nearest = float(expected)
    is_fraction = not expected.lstrip(b"+-").isdigit() and math.isfinite(nearest) and nearest != 0
    return number == other or (is_fraction and nearest == float(word))


def _is_near(decimal: Decimal, other: Decimal, tolerance: Decimal) -> bool:
    with localcontext(EXACT_ENOUGH):
        largest = max(abs(decimal), abs(other), Decimal(1))
        return abs(decimal - other) <= tolerance * largest
