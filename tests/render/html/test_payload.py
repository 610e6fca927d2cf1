"""What is packed for the table of cases: a text that is cut says how long the whole is."""

from dataclasses import replace

import pytest

from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.render.html.payload import payload
from tests.analysis.reports import tiered_report
from tests.render.html.test_report import unpacked

WHOLE = tiered_report()
LONGEST = 4_000
TEXT, TEXT_LENGTH, DETAIL, DETAIL_LENGTH = range(10, 14)


def excerpt(text: str | None = "x", *, length: int | None = None) -> SampleExcerpt:
    case = WHOLE.cases[0]
    return SampleExcerpt(
        key=CaseKey(case.model, case.tier, case.suite, case.case),
        attempt=0,
        classification="fail",
        passed=False,
        text=text,
        text_length=len(text or "") if length is None else length,
    )


def packed(sample: SampleExcerpt) -> list[list[object]]:
    """Return the rows of the only case that has a sample."""
    [rows] = unpacked(str(payload(WHOLE, [sample]).blocks[1]), "samples-0").values()
    return [list(row) for row in rows]


@pytest.mark.parametrize("text", ["x = 1\r\n" * 7, "\U0001f600" * LONGEST, "\x1b[31m", "", "y" * LONGEST])
def test_an_answer_that_is_whole_is_not_said_to_be_cut(text: str) -> None:
    [row] = packed(excerpt(text))

    assert row[TEXT_LENGTH] == 0


@pytest.mark.parametrize("unit", ["\U0001f600", "x", "\x1b", "\u0301", "\r\n"])
def test_an_answer_that_is_cut_says_how_long_the_whole_is(unit: str) -> None:
    kept = (unit * LONGEST)[:LONGEST]

    [row] = packed(excerpt(kept, length=4_506))

    assert row[TEXT_LENGTH] == 4_506


def test_an_answer_that_was_not_kept_is_not_said_to_be_cut() -> None:
    [row] = packed(excerpt(None))

    assert row[TEXT] is None
    assert row[TEXT_LENGTH] == 0


def test_output_of_a_check_that_is_cut_says_how_long_the_whole_is() -> None:
    [cut] = packed(replace(excerpt(), detail="d" * LONGEST, detail_length=4_098))
    [whole] = packed(replace(excerpt(), detail="a\r\nb", detail_length=4))

    assert cut[DETAIL_LENGTH] == 4_098
    assert whole[DETAIL:] == ["a\nb", 0]


@pytest.mark.parametrize("place", range(4))
def test_a_text_of_a_case_that_is_cut_says_how_long_the_whole_is(place: int) -> None:
    texts = ["a\r\nb"] * 4
    texts[place] = "t" * 5_000
    prompt, expected, tests, reference = texts
    about = CaseTexts(prompt=prompt, expected=expected, tests=tests, reference=reference)

    _, (_, shown, lengths) = packed(replace(excerpt(), about=about))

    assert isinstance(shown, list)
    assert shown[place] == "t" * LONGEST
    assert lengths == [5_000 if number == place else 0 for number in range(4)]


def test_texts_of_a_case_that_are_whole_have_no_lengths() -> None:
    _, about = packed(replace(excerpt(), about=CaseTexts(prompt="a\r\nb", tests="c")))

    assert about[1:] == [["a\nb", "", "c", ""]]
