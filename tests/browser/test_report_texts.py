"""Open a sample in a report: each of its texts that is cut says so, and no other does."""

from dataclasses import replace
from pathlib import Path

from steelyard.app.views import html_renderer
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from tests.browser.chromium import Page
from tests.conformance.test_renderers import hostile_report

REPORT = hostile_report("case")
CASE = REPORT.cases[0]
SAMPLE = SampleExcerpt(
    key=CaseKey(CASE.model, CASE.tier, CASE.suite, CASE.case),
    attempt=0,
    classification="fail",
    passed=False,
)
NOTES = "Array.from(document.querySelectorAll('.sample .quiet'), (one) => one.textContent)"


def notes(page: Page, sample: SampleExcerpt, folder: Path) -> list[str]:
    """Return the notes of a sample that is open."""
    path = folder / "texts.html"
    path.write_text(html_renderer().render(REPORT, samples=[sample]), encoding="utf-8")
    page.open(path)
    page.run("document.querySelector('#matrix tbody button').click()")
    page.wait("document.querySelectorAll('.sample[open] pre').length > 0")
    page.run("document.querySelectorAll('.beside').forEach((one) => { one.open = true; })")
    assert page.console == []
    return list(page.run(NOTES))


def test_each_text_that_is_cut_says_how_long_the_whole_is(page: Page, tmp_path: Path) -> None:
    long = "\U0001f600 line\r\n" * 1_000
    about = CaseTexts(prompt=long, expected=long, tests=long, reference=long)
    kept = long[:4_000]
    sample = replace(SAMPLE, text=kept, text_length=4_506, detail=kept, detail_length=4_098, about=about)

    found = notes(page, sample, tmp_path)

    assert found == [
        f"cut here; the whole {what} has {length} characters"
        for what, length in [
            ("output", "4,098"),
            ("answer", "4,506"),
            ("text", "8,000"),
            ("prompt", "8,000"),
            ("text", "8,000"),
            ("reference", "8,000"),
        ]
    ]


def test_texts_that_are_whole_have_no_note(page: Page, tmp_path: Path) -> None:
    text = "x = '\x1b'\r\n" * 5
    about = CaseTexts(prompt=text, expected=text, tests=text, reference=text)
    size = len(text)
    sample = replace(SAMPLE, text=text, text_length=size, detail=text, detail_length=size, about=about)

    assert notes(page, sample, tmp_path) == []
    assert notes(page, replace(sample, about=None), tmp_path) == []
