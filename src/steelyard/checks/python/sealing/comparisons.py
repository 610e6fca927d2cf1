"""Comparisons of assertion methods: the reported value comes first, what is expected second.

The semantics are those of unittest, math, numpy.testing and unittest.mock, on plain data.
"""

import builtins
import cmath
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from unittest import TestCase
from unittest.mock import call

from steelyard.checks.patterns import compiled

PATTERN_TIMEOUT_S = 0.25
_CASE = TestCase()
Calls = Sequence[Any]


def _holds(assertion: Callable[..., object]) -> Callable[..., bool]:
    def holds(*arguments: object, **options: object) -> bool:
        try:
            assertion(*arguments, **options)
        except AssertionError:
            return False
        return True

    return holds


def _equal_as(kind: type) -> Callable[[object, object], bool]:
    return lambda actual, expected: isinstance(actual, kind) and _equal(actual, expected)


def _equal_sequences(actual: Sequence[object], expected: Sequence[object]) -> bool:
    is_sequence = isinstance(actual, list | tuple | str | bytes | deque)
    return is_sequence and len(actual) == len(expected) and all(map(_equal, actual, expected))


def _equal(actual: object, expected: object) -> bool:
    return bool(actual == expected)


def _equal_counts(actual: Sequence[object], expected: Sequence[object]) -> bool:
    # The length first: counting unhashable items takes quadratic time.
    return len(actual) == len(expected) and _holds(_CASE.assertCountEqual)(actual, expected)


def _same(actual: object, expected: object) -> bool:
    return type(actual) is type(expected) and actual == expected


def each(compare: Callable[[Any, Any], bool]) -> Callable[[object, object], bool]:
    """Return a comparison of arrays: item by item, a scalar or row with each item."""

    def compare_arrays(actual: object, expected: object) -> bool:
        if not isinstance(actual, list | tuple):
            return not isinstance(expected, list | tuple) and bool(compare(actual, expected))
        if _depth(expected) < _depth(actual):
            return bool(actual) and all(compare_arrays(item, expected) for item in actual)
        items = expected if isinstance(expected, list | tuple) else []
        return len(actual) == len(items) and all(map(compare_arrays, actual, items))

    return compare_arrays


def _depth(value: object) -> int:
    if not isinstance(value, list | tuple):
        return 0
    return 1 + (_depth(value[0]) if value else 0)


def _is_nan(value: object) -> bool:
    return isinstance(value, float | complex) and cmath.isnan(value)


def _equal_or_nan(actual: object, expected: object) -> bool:
    return actual == expected or (_is_nan(actual) and _is_nan(expected))


def _all_close(
    actual: object, expected: object, rtol: float = 1e-5, atol: float = 1e-8, *, equal_nan: bool = False
) -> bool:
    def is_close(left: Any, right: Any) -> bool:  # noqa: ANN401  # any number
        if left == right or (equal_nan and _is_nan(left) and _is_nan(right)):
            return True
        return abs(left - right) <= atol + rtol * abs(right) and not cmath.isinf(right)

    return each(is_close)(actual, expected)


def _assert_allclose(
    actual: object, expected: object, rtol: float = 1e-7, atol: float = 0, *, equal_nan: bool = True
) -> bool:
    return _all_close(actual, expected, rtol, atol, equal_nan=equal_nan)


def _almost_equal_arrays(actual: object, expected: object, decimal: float = 7) -> bool:
    def is_close(left: Any, right: Any) -> bool:  # noqa: ANN401  # any number
        return _equal_or_nan(left, right) or abs(left - right) < 1.5 * 10.0**-decimal

    return each(is_close)(actual, expected)


def _called_once_with(calls: Calls, *arguments: object, **options: object) -> bool:
    return len(calls) == 1 and calls[0] == call(*arguments, **options)


def _called_with(calls: Calls, *arguments: object, **options: object) -> bool:
    return bool(calls) and calls[-1] == call(*arguments, **options)


def _any_call(calls: Calls, *arguments: object, **options: object) -> bool:
    return any(made == call(*arguments, **options) for made in calls)


def _has_calls(made: Calls, expected: Calls, *, any_order: bool = False) -> bool:
    if not any_order:
        starts = range(len(made) - len(expected) + 1)
        return any(all(map(_equal, made[start : start + len(expected)], expected)) for start in starts)
    remaining = list(made)
    for wanted in expected:
        if wanted not in remaining:
            return False
        remaining.remove(wanted)
    return True


Pattern = Any  # of the package `regex`


def _raised(actual: Sequence[Any] | None, names: Sequence[str], pattern: Pattern | None = None) -> bool:
    # A class in a module of a package, such as `attrs.exceptions.Error`, is known by its last name.
    last_names = {name.rpartition(".")[2] for name in names} - vars(builtins).keys()
    expected = {*names, *last_names}
    if actual is None or expected.isdisjoint(actual[0]):
        return False
    return pattern is None or _search(actual[1], pattern)


def _search(text: str, pattern: Pattern) -> bool:
    return pattern.search(text, timeout=PATTERN_TIMEOUT_S) is not None


MOCK_METHODS: Mapping[str, Callable[..., bool]] = MappingProxyType(
    {
        "assert_called_once_with": _called_once_with,
        "assert_called_with": _called_with,
        "assert_any_call": _any_call,
        "assert_has_calls": _has_calls,
        "assert_called_once": lambda calls: len(calls) == 1,
        "assert_called": bool,
        "assert_not_called": lambda calls: not calls,
        "assert_awaited_once_with": _called_once_with,
        "assert_awaited_with": _called_with,
        "assert_any_await": _any_call,
        "assert_has_awaits": _has_calls,
        "assert_awaited_once": lambda calls: len(calls) == 1,
        "assert_awaited": bool,
        "assert_not_awaited": lambda calls: not calls,
    }
)
COMPARISONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "same": _same,
        "raised": _raised,
        "is_any_of": lambda types, names: not set(names).isdisjoint(types[1:]),
        "startswith": lambda text, affix: text.startswith(affix),
        "endswith": lambda text, affix: text.endswith(affix),
        "assertListEqual": _equal_as(list),
        "assertTupleEqual": _equal_as(tuple),
        "assertDictEqual": _equal_as(dict),
        "assertMultiLineEqual": _equal_as(str),
        "assertSetEqual": lambda actual, expected: isinstance(actual, set | frozenset) and actual == expected,
        "assertSequenceEqual": _equal_sequences,
        "assertCountEqual": _equal_counts,
        "assertAlmostEqual": _holds(_CASE.assertAlmostEqual),
        "assertAlmostEquals": _holds(_CASE.assertAlmostEqual),
        "assertNotAlmostEqual": _holds(_CASE.assertNotAlmostEqual),
        "assert_allclose": _assert_allclose,
        "assert_almost_equal": _almost_equal_arrays,
        "assert_array_almost_equal": lambda actual, expected, decimal=6: _almost_equal_arrays(
            actual, expected, decimal
        ),
        "assert_equal": each(_equal_or_nan),
        "assert_array_equal": each(_equal_or_nan),
        "numpy.array_equal": each(_equal),
        "numpy.allclose": _all_close,
        "numpy.isclose": _all_close,
        "math.isclose": math.isclose,
        "cmath.isclose": cmath.isclose,
        **MOCK_METHODS,
        "pattern": compiled,
        "re.search": _search,
        "re.match": lambda text, pattern: pattern.match(text, timeout=PATTERN_TIMEOUT_S) is not None,
        "re.fullmatch": lambda text, pattern: pattern.fullmatch(text, timeout=PATTERN_TIMEOUT_S) is not None,
        "assertRegex": _search,
        "assertNotRegex": lambda text, pattern: not _search(text, pattern),
    }
)
