"""The five ways in which a program's output is compared."""

import time

import pytest

from steelyard.checks.forms.io.compare import is_same
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
        ("", " \r\n\t\n", (False, True, True, True)),
        ("a\nb\n", "a \t\r\nb\r\n", (False, True, True, True)),
        ("1_0 10\n", "1_0 10", (False, True, True, True)),
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
        ("1e-400", "2e-400", None, False),
        ("0.0", "1e-400", None, False),
        ("1e-400", "10e-401", None, True),
        ("0.0", "-0.00", None, True),
        ("5e-324", "4.9406564584124654e-324", None, True),
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


@pytest.mark.parametrize("end", ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_ends_where_a_newline_is_and_nowhere_else(end: str) -> None:
    assert not is_same("1\n2\n3\n", f"1{end}2\n3\n", compare=Compare.LINES)
    assert is_same(f"1{end}2\n", f"1{end}2\n", compare=Compare.LINES)


@pytest.mark.parametrize("mark", ["\x0c", "\xa0", "\x85", "\u2028", "\u3000"])
def test_odd_blanks_at_the_end_of_a_line_count(mark: str) -> None:
    assert not is_same("1\n2\n", f"1{mark}\n2\n", compare=Compare.LINES)
    assert not is_same("1\n", f"1\n{mark}", compare=Compare.LINES)


@pytest.mark.parametrize("way", [Compare.TOKENS, Compare.NUMBERS])
def test_words_stand_between_blanks_of_ascii(way: Compare) -> None:
    assert all(is_same("1 2\n", f"1{blank}2", compare=way) for blank in " \t\n\r\x0b\x0c")
    assert not any(is_same("1 2\n", f"1{mark}2", compare=way) for mark in "\x1c\x1f\x85\xa0\u2028\u3000")
    assert not any(is_same("1\n", f"1{mark}", compare=way) for mark in "\x1c\x1f\x85\xa0\u2028\u3000")


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("1000", "1_000"),
        ("1_000", "1000"),
        ("12", "\uff11\uff12"),
        ("3", "\u0663"),
        ("1.5", "1.\u0665"),
        ("2", "0x2"),
        ("nan", "snan"),
        ("nan", "nan1"),
        ("inf", "\u0131nf"),
        ("1", "1e"),
        ("0", "."),
    ],
)
@pytest.mark.parametrize("tolerance", [None, 1e-6])
def test_what_no_usual_language_prints_as_a_number_is_none(
    expected: str, printed: str, tolerance: float | None
) -> None:
    assert not is_same(expected, printed, compare=Compare.NUMBERS, tolerance=tolerance)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [("5", "5."), ("0.5", ".5"), ("-0.5", "-5E-1"), ("2", "+2.0"), ("inf", "Infinity"), ("nan", "-nan")],
)
def test_a_number_may_be_written_in_every_usual_way(expected: str, printed: str) -> None:
    assert is_same(expected, printed, compare=Compare.NUMBERS)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["1" * 2_000_000 + "x", "1." + "1" * 2_000_000 + "x", " " * 2_000_000 + "x"])
def test_a_long_word_takes_no_time(way: Compare, text: str) -> None:
    began = time.process_time()

    assert not is_same("1\n", text, compare=way, tolerance=1e-6)
    assert not is_same("1\n", f"{text}\n" * 2, compare=way)
    assert time.process_time() - began < 5
