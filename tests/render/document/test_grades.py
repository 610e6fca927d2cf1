from dataclasses import replace

import pytest

from steelyard.model.report import SubjectSummary
from steelyard.model.summary import Grade, GradeBasis
from steelyard.render.document.grades import grade_note, graded
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import report, subject
from tests.render.document.reading import sentence


def graded_subject(letter: str | None, **odds: float) -> SubjectSummary:
    grade = Grade(letter=letter, scale="letters-95", probabilities=odds, of=GradeBasis.CASE_MEAN)
    return replace(subject(), grade=grade)


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        (graded_subject("B", B=0.61, A=0.39), "B (61 %), A (39 %)"),
        (graded_subject("C", B=0.5, A=0.1, C=0.3, D=0.1), "C (30 %), B (50 %), A (10 %)"),
        (graded_subject("A", A=0.99, B=0.009, F=0.001), "A (99 %), B (1 %)"),
        (graded_subject("A", A=0.998, B=0.002), "A"),
        (graded_subject("A", A=1.0), "A"),
        (graded_subject("A"), "A"),
        (graded_subject("A", B=1.0), "A (0 %), B (100 %)"),
        (graded_subject(None), UNDEFINED),
    ],
)
def test_the_letter_comes_first_and_the_likely_others_after_it(one: SubjectSummary, shown: str) -> None:
    assert graded(one) == shown


def test_odds_are_explained_where_there_are_some() -> None:
    [note] = grade_note(report(graded_subject("B", B=0.6, A=0.4), graded_subject("A", A=1.0)))

    assert sentence(note) == (
        "grade: of the mean score; in brackets the probability of a letter for new cases of the same kind"
    )
    assert grade_note(report(graded_subject("A", A=1.0))) == ()


def test_a_letter_without_odds_is_not_passed_off_as_sure() -> None:
    [note] = grade_note(report(graded_subject("A")))

    assert sentence(note) == ("grade: of the mean score; too few cases for its probability")
    assert grade_note(report(graded_subject(None))) == ()
