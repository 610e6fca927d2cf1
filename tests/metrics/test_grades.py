from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact
from steelyard.metrics.grades import GRADE_SCALES, LETTERS_95, PROJECTSCYLLA_2026, GradeScale, letter_grade
from tests.golden_values import Row, golden_rows

# The sums of the golden file's float hazards, in its order.
SUMS = [("0.1", "0.75"), ("0.7", "0.15"), ("0.3", "0.35"), ("0.35", "0.4"), ("0.4", "0.45", "0.1")]


@pytest.mark.parametrize("row", golden_rows("grades"), ids=str)
def test_a_letter_is_the_golden_one(row: Row) -> None:
    score = row["score"] if "score" in row else float(row["score_float"])

    letter = letter_grade(score)

    assert letter == row["grade"]


def test_the_mean_of_exact_composites_reaches_the_cut() -> None:
    row = golden_rows("grades", "float_hazard")[0]

    mean = sum(exact(composite) for composite in row["composites"]) / 2

    assert mean == Fraction(row["mean_exact"])
    assert letter_grade(mean) == row["grade"]


@pytest.mark.parametrize(
    ("terms", "row"), list(zip(SUMS, golden_rows("grades", "float_hazard")[1:], strict=True))
)
def test_a_sum_is_graded_by_its_exact_value(terms: tuple[str, ...], row: Row) -> None:
    exact_sum = sum(exact(float(term)) for term in terms)

    assert letter_grade(exact_sum) == row["grade_exact"]
    assert letter_grade(float(row["float"])) == row["grade_float"]


def test_0_3_plus_0_35_grades_d() -> None:
    assert 0.3 + 0.35 < 0.65
    assert letter_grade(exact(0.3) + exact(0.35)) == "D"


@settings(deadline=None)
@given(
    st.fractions(0, 1, max_denominator=1000),
    st.fractions(0, 1, max_denominator=1000),
    st.sampled_from(sorted(GRADE_SCALES)),
)
def test_a_better_score_never_gets_a_worse_letter(one: Fraction, other: Fraction, name: str) -> None:
    scale = GRADE_SCALES[name]
    letters = [*(letter for letter, _ in scale.cuts), scale.below]

    worse, better = (letters.index(letter_grade(score, scale)) for score in sorted((one, other)))

    assert better <= worse


@pytest.mark.parametrize(
    ("score", "letter"),
    [
        (1, "S"),
        (0.999, "A"),
        (0.8, "A"),
        (0.799, "B"),
        (0.6, "B"),
        (0.599, "C"),
        (0.4, "C"),
        (0.399, "D"),
        (0.2, "D"),
        (0.199, "F"),
        (0, "F"),
    ],
)
def test_the_newer_cuts_of_projectscylla_are_a_named_profile(score: float, letter: str) -> None:
    scale = GRADE_SCALES["projectscylla-2026"]

    assert letter_grade(score, scale) == letter


def test_the_scales_are_found_by_name_and_letters_95_is_the_default() -> None:
    assert GRADE_SCALES == {"letters-95": LETTERS_95, "projectscylla-2026": PROJECTSCYLLA_2026}
    assert letter_grade(0.9) == letter_grade(0.9, LETTERS_95) == "B"


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_a_score_outside_0_and_1_gets_no_letter(score: float) -> None:
    with pytest.raises(DomainError, match=r"^score must lie between 0 and 1|^expected a finite number"):
        letter_grade(score)


@pytest.mark.parametrize("cuts", [("0.5", "0.5"), ("0.5", "0.6")])
def test_cuts_that_do_not_fall_are_refused(cuts: tuple[str, str]) -> None:
    with pytest.raises(DomainError, match=r"scale 'odd'.*letter$"):
        GradeScale(name="odd", cuts=(("A", Fraction(cuts[0])), ("B", Fraction(cuts[1]))))


def test_a_cut_outside_0_and_1_is_refused() -> None:
    with pytest.raises(DomainError, match=r"'A' in scale 'odd'.*2$"):
        GradeScale(name="odd", cuts=(("A", Fraction(2)),))


def test_a_scale_may_name_what_is_below_all_cuts() -> None:
    scale = GradeScale(name="two", cuts=(("good", Fraction(1, 2)),), below="bad")

    assert letter_grade(0.5, scale) == "good"
    assert letter_grade(0.4, scale) == "bad"
