"""Functions that checks call outside the sandbox, on plain data, with bounded results."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any
from unittest import TestCase

from steelyard.checks.grading.patterns import compiled

PATTERN_TIMEOUT_S = 0.25
LARGEST_BITS = 1_000_000
LONGEST = 1_000_000
_CASE = TestCase()
Pattern = Any  # of the package `regex`


class TooLarge(Exception):
    """An expression's value would exceed its bound."""


def _bound(size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge


def _multiply(left: Any, right: Any) -> object:  # noqa: ANN401  # any operands
    for number, sequence in ((left, right), (right, left)):
        if isinstance(number, int) and isinstance(sequence, Sequence):
            _bound(number * len(sequence), LONGEST)
    return left * right


def _power(left: Any, right: Any) -> object:  # noqa: ANN401  # any operands
    if isinstance(left, int) and isinstance(right, int):
        _bound(left.bit_length() * abs(right), LARGEST_BITS)
    return left**right


def _shift_left(left: int, right: int) -> int:
    _bound(right, LARGEST_BITS)
    return left << right


def _range(*bounds: int) -> range:
    _bound(len(range(*bounds)), LONGEST)
    return range(*bounds)


def _holds(assertion: Callable[..., object], *arguments: object, **options: object) -> bool:
    try:
        assertion(*arguments, **options)
    except AssertionError:
        return False
    return True


def _count_equal(actual: Sequence[object], expected: Sequence[object]) -> bool:
    # The length first: counting unhashable items takes quadratic time.
    return len(actual) == len(expected) and _holds(_CASE.assertCountEqual, actual, expected)


def _search(pattern: Pattern, text: str) -> bool:
    return pattern.search(text, timeout=PATTERN_TIMEOUT_S) is not None


def _raised(actual: Sequence[Any] | None, names: Sequence[str], pattern: Pattern | None = None) -> bool:
    """Whether an exception of these classes, matching the pattern, was reported."""
    if actual is None or set(names).isdisjoint(actual[0]):
        return False
    return pattern is None or _search(pattern, actual[1])


FUNCTIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "multiply": _multiply,
        "power": _power,
        "shift_left": _shift_left,
        "range": _range,
        "almost_equal": partial(_holds, _CASE.assertAlmostEqual),
        "count_equal": _count_equal,
        "pattern": compiled,
        "search": _search,
        "match": lambda pattern, text: pattern.match(text, timeout=PATTERN_TIMEOUT_S) is not None,
        "fullmatch": lambda pattern, text: pattern.fullmatch(text, timeout=PATTERN_TIMEOUT_S) is not None,
        "raised": _raised,
        "is_any_of": lambda types, names: not set(names).isdisjoint(types[1:]),
    }
)
