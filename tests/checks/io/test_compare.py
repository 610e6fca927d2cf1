"""The five ways in which a program's output is compared."""

import pytest

from steelyard.checks.io.compare import is_same
from steelyard.model.graded import Compare

WAYS = (Compare.EXACT, Compare.LINES, Compare.TOKENS, Compare.NUMBERS)


@pytest.mark.parametrize(
    ("expected", "printed", "found"),
    [
        ("3\n", "3\n", (True, True, True, True)),
        ("3\n", "3", (False, True, True, True)),
        ("a \nb\n\n", "a\nb", (False, True, True, True)),
        ("a b\n", "a  b\n", (False, False, True, True)),
        ("a b\n", "a\nb\n", (False, False, True, True)),
        (" a\n", "a\n", (False, False, True, True)),
        ("0.5\n", "0.50\n", (False, False, False, True)),
        ("0.5 x\n", "0.5000001 x\n", (False, False, False, True)),
        ("0.5\n", "0.6\n", (False, False, False, False)),
        ("nan\n", "NaN\n", (False, False, False, True)),
        ("nan\n", "1\n", (False, False, False, False)),
        ("1\n", "nan\n", (False, False, False, False)),
        ("1 2\n", "1\n", (False, False, False, False)),
        ("x\n", "y\n", (False, False, False, False)),
        ("", "\n", (False, True, True, True)),
    ],
)
def test_output_is_compared_as_the_case_says(expected: str, printed: str, found: tuple[bool, ...]) -> None:
    seen = tuple(is_same(expected, printed, compare=way, tolerance=1e-6) for way in WAYS)

    assert seen == found


LONG = str(10**400 + 7)


@pytest.mark.parametrize(
    ("expected", "printed", "tolerance", "is_found"),
    [
        (LONG, "inf", None, False),
        (LONG, "1e999", None, False),
        (LONG, "9" * 399, 1e-6, False),
        (LONG, f"{LONG}.0", None, True),
        ("9007199254740993", "9007199254740992.0", None, False),
        ("0.3333333333333333", "0.33333333333333331", None, True),
        ("100", "1e2", None, True),
        ("inf", "inf", 1e-6, True),
        ("inf", "-inf", 1e-6, False),
        ("inf", LONG, 1e-6, False),
        ("0", "1e-7", 1e-6, True),
        ("1", "1e999999999", 1e-6, False),
        ("1", "1e99999999999999999999", 1e-6, False),
    ],
)
def test_numbers_of_any_length_are_equal_by_value(
    expected: str, printed: str, tolerance: float | None, *, is_found: bool
) -> None:
    assert is_same(expected, printed, compare=Compare.NUMBERS, tolerance=tolerance) is is_found
