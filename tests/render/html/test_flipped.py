"""Cases that changed, with both answers side by side."""

import re
from dataclasses import replace

import pytest

from steelyard.app.views import html_renderer
from steelyard.model.comparison import Comparison
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.render.charts.names import PageLinks
from steelyard.render.html.flipped import WITH_ANSWERS, flipped_parts
from tests.analysis.comparisons import change, compared, comparison, pair


def sample(case: str, text: str, *, passed: bool, before: bool = False, model: str = "new") -> SampleExcerpt:
    return SampleExcerpt(
        key=CaseKey(model, "T0", "basics", case),
        attempt=0,
        classification="pass" if passed else "timeout",
        passed=passed,
        text=text,
        detail="" if passed else "it took too long",
        of_baseline=before,
    )


def renamed(*fell: str) -> Comparison:
    """Return a comparison of the model `old` with the model `new`, in which cases fell."""
    drops = [change(name, 1.0, 0.0, model="new") for name in fell]
    return comparison(subjects=[compared(pair("old", "new"))], regressions=drops)


def written(whole: Comparison, *samples: SampleExcerpt) -> str:
    return html_renderer().render(whole, samples=samples)


def test_a_case_opens_to_an_answer_that_passed_before_and_one_that_fails_now() -> None:
    text = written(
        renamed("lru"),
        sample("lru", "x = 0", passed=False, before=True, model="old"),
        sample("lru", "x = 1", passed=True, before=True, model="old"),
        sample("lru", "x = 2", passed=True),
        sample("lru", "x = 3", passed=False),
    )

    assert "<del>x = 1</del>" in text
    assert "<ins>x = 3</ins>" in text
    assert "x = 0" not in text
    assert "before: sample 1, passed" in text
    assert "now: sample 1, timeout" in text
    assert "it took too long" in text


def test_each_case_has_a_link_and_the_page_says_how_to_copy_it() -> None:
    answers = [sample("lru", "x", passed=True, before=True, model="old"), sample("lru", "y", passed=False)]
    text = written(renamed("lru"), *answers)
    link = "case=lru&amp;suite=basics&amp;model=new&amp;tier=T0"

    assert f'id="{link}"' in text
    assert f'data-link="{link}"' in text
    assert "The address bar has a link" in text


def test_without_answers_of_both_sides_there_is_nothing_to_open() -> None:
    assert "both answers" not in written(renamed("lru"), sample("lru", "y", passed=False))
    assert "both answers" not in written(renamed("lru"))


def test_answers_that_were_not_kept_are_not_made_up() -> None:
    lost = replace(sample("lru", "", passed=False), text=None)
    text = written(renamed("lru"), sample("lru", "x", passed=True, before=True, model="old"), lost)

    assert "The answers were not stored." in text


@pytest.mark.parametrize(("length", "now"), [(9_700, "the first 4,000 of 9,700"), (4_000, "the whole")])
def test_answers_that_begin_alike_and_are_cut_are_not_called_equal(length: int, now: str) -> None:
    text = "x" * 4_000
    before = replace(sample("lru", text, passed=True, before=True, model="old"), text_length=9_690)

    page = written(renamed("lru"), before, replace(sample("lru", text, passed=False), text_length=length))

    assert "are equal." not in page
    assert "The two texts are equal up to the length stored here." in page
    assert f"Compared: the first 4,000 of 9,690 characters before, and {now}" in page


def test_answers_that_are_cut_and_differ_show_how_much_of_them_is_compared() -> None:
    before = replace(sample("lru", "x = 1", passed=True, before=True, model="old"), text_length=5)

    page = written(renamed("lru"), before, replace(sample("lru", "x = 2", passed=False), text_length=60))

    assert "<ins>x = 2</ins>" in page
    assert "Compared: the whole answer before, and the first 5 of 60 characters now." in page


def test_answers_that_are_whole_are_called_equal_without_a_note() -> None:
    pair_of_answers = [
        replace(sample("lru", "x = 1", passed=True, before=True, model="old"), text_length=5),
        replace(sample("lru", "x = 1", passed=False), text_length=5),
    ]

    page = written(renamed("lru"), *pair_of_answers)

    assert "The two texts are equal." in page
    assert "Compared:" not in page


def test_output_of_a_check_that_is_cut_has_a_note() -> None:
    before = sample("lru", "x", passed=True, before=True, model="old")
    now = sample("lru", "y", passed=False)

    assert "the first 16 of 5,000 characters" in written(
        renamed("lru"), before, replace(now, detail_length=5_000)
    )
    assert "the first 16 of" not in written(renamed("lru"), before, replace(now, detail_length=16))


def test_cases_lead_to_the_report_beside_the_page() -> None:
    parts = flipped_parts(renamed("lru"), (), PageLinks(report="report.html"))

    assert 'href="report.html#case=lru&amp;suite=basics' in str(parts[0].content)


def test_ten_cases_are_open_and_answers_are_kept_of_so_many() -> None:
    names = [f"case-{number}" for number in range(60)]
    samples = [
        one
        for name in names
        for one in (
            sample(name, "x", passed=True, before=True, model="old"),
            sample(name, "y", passed=False),
        )
    ]

    text = written(renamed(*names), *samples)

    assert "<summary>50 more cases</summary>" in text
    assert len(re.findall("<summary>both answers</summary>", text)) == WITH_ANSWERS
