from steelyard.model.estimate import Estimate, Reason
from steelyard.render.document.undefined import Dash, explained
from tests.render.document.reading import sentence

EMPTY = Estimate.undefined(Reason.NO_CASES)


def said(*dashes: Dash, rows: int) -> list[str]:
    return [sentence(line) for line in explained(dashes, rows=rows, noun="model")]


def dash(what: str, whose: str, gap: Estimate = EMPTY) -> Dash:
    return Dash(title=what, owner=(whose,), gap=gap)


def test_the_only_row_needs_no_name() -> None:
    assert said(dash("score", "a"), rows=1) == ["score: not defined, there are no cases"]


def test_some_rows_are_named_and_many_are_counted() -> None:
    assert said(*(dash("score", name) for name in "abcde"), rows=9) == [
        "score of a, b, c and 2 more: not defined, there are no cases"
    ]


def test_numbers_that_lack_for_the_same_reason_share_a_line() -> None:
    assert said(dash("score", "a"), dash("grade", "a"), rows=2) == [
        "score and grade of a: not defined, there are no cases"
    ]


def test_different_reasons_have_different_lines() -> None:
    other = Estimate.undefined(Reason.NO_SAMPLES)

    assert len(said(dash("score", "a"), dash("score", "b", other), rows=2)) == 2
