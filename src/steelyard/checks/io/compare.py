"""Compare what a program printed with what is expected."""

import math

from steelyard.model.graded import Compare


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
        if not tolerance and expected.lstrip("+-").isdigit() and word.lstrip("+-").isdigit():
            return int(expected) == int(word)  # as floats, long numbers that differ would be equal
        one, other = float(expected), float(word)
    except ValueError:
        return False
    if math.isnan(one):
        return math.isnan(other)
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
