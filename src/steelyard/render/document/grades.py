"""Show letter grades with their probabilities, unless nearly certain."""

from steelyard.model.report import Report, SubjectSummary
from steelyard.model.summary import Grade
from steelyard.render.document.blocks import TextLine, Tone, line
from steelyard.render.numbers import UNDEFINED, in_percent

CERTAIN = 0.995  # rounds to 100 %
LETTERS_SHOWN = 3
ODDS_IN_WORDS = (
    "grade: of the mean score; in brackets the probability of a letter for new cases of the same kind"
)
NO_ODDS_IN_WORDS = "grade: of the mean score; too few cases for its probability"
LEAST_SHOWN = 0.005  # rounds to 1 %


def graded(subject: SubjectSummary) -> str:
    """Return the grade of a subject, then other likely letters."""
    return letter_with_odds(subject.grade)


def letter_with_odds(grade: Grade) -> str:
    """Return a grade, then other likely letters."""
    letter, odds = grade.letter, grade.probabilities
    if letter is None:
        return UNDEFINED
    if not _is_open(grade):
        return letter
    others = sorted((other for other in odds if other != letter), key=lambda other: -odds[other])
    likely = [letter, *(other for other in others if odds[other] >= LEAST_SHOWN)]
    return ", ".join(f"{name} ({in_percent(odds.get(name, 0.0))})" for name in likely[:LETTERS_SHOWN])


def grade_note(report: Report) -> tuple[TextLine, ...]:
    """Explain the probabilities, if some are shown or none are known."""
    grades = [subject.grade for subject in report.subjects if subject.grade.letter is not None]
    if any(map(_is_open, grades)):
        return (line(ODDS_IN_WORDS, tone=Tone.QUIET),)
    is_unknown = any(not grade.probabilities for grade in grades)
    return (line(NO_ODDS_IN_WORDS, tone=Tone.QUIET),) if is_unknown else ()


def _is_open(grade: Grade) -> bool:
    odds = grade.probabilities
    return grade.letter is not None and bool(odds) and odds.get(grade.letter, 0.0) < CERTAIN
