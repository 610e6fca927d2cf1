"""What notebooks show: the answer as plain markup, and the whole page in a frame that reaches nothing."""

import html
import re

import pytest

from steelyard.model.shown import Shown
from steelyard.render.html import notebook
from steelyard.render.html.report import HtmlReport
from tests.analysis.runs import report_of
from tests.conformance.test_renderers import (
    COMPARISONS,
    GATES,
    NAMES,
    REPORTS,
    hostile_comparison,
    hostile_report,
)

SHOWN: dict[str, Shown] = {
    **{f"report-{name}": one for name, one in REPORTS.items()},
    **{f"comparison-{name}": one for name, one in COMPARISONS.items()},
    **{f"gate-{name}": one for name, one in GATES.items()},
}
TAGS = {
    "bdi",
    "code",
    "details",
    "div",
    "iframe",
    "p",
    "span",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
}
FRAME = re.compile('<iframe srcdoc="([^"]*)" sandbox="allow-scripts"')


@pytest.mark.parametrize("name", SHOWN)
def test_every_record_is_shown_with_its_page_in_a_frame(name: str) -> None:
    shown = SHOWN[name]._repr_html_()

    (page,) = FRAME.findall(shown)
    assert html.unescape(page).startswith("<!doctype html>")
    assert "<script" not in shown
    assert "allow-same-origin" not in shown


def test_the_answer_stands_before_the_frame() -> None:
    report = report_of({("acme/one", "T0"): [(5, 3)]})
    before = report._repr_html_().partition("<iframe")[0]

    assert "acme/one" in before
    assert "<table" in before


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_becomes_markup(name: str) -> None:
    for record in (hostile_report(name), hostile_comparison(name)):
        shown = record._repr_html_()
        assert set(re.findall("<([a-z0-9]+)", shown)) <= TAGS


def test_a_page_that_would_weigh_down_the_notebook_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    report = next(iter(REPORTS.values()))
    monkeypatch.setattr(notebook, "LARGEST_PAGE", len(HtmlReport().render(report)) - 1)

    assert "<iframe" not in report._repr_html_()
