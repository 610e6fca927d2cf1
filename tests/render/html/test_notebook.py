"""What notebooks show: the answer as plain markup, and the whole page in a frame that reaches nothing."""

import html
import re
import subprocess
import sys

import pytest

from steelyard.app.views import html_renderer
from steelyard.model import shown as notebook_views
from steelyard.model.shown import Shown
from steelyard.render.html import notebook
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


def html_of(record: Shown) -> str:
    found = record._repr_html_()
    assert found is not None
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_every_record_is_shown_with_its_page_in_a_frame(name: str) -> None:
    shown = html_of(SHOWN[name])

    (page,) = FRAME.findall(shown)
    assert html.unescape(page).startswith("<!doctype html>")
    assert "<script" not in shown
    assert "allow-same-origin" not in shown


def test_the_answer_stands_before_the_frame() -> None:
    report = report_of({("acme/one", "T0"): [(5, 3)]})
    before = html_of(report).partition("<iframe")[0]

    assert "acme/one" in before
    assert "<table" in before


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_becomes_markup(name: str) -> None:
    for record in (hostile_report(name), hostile_comparison(name)):
        shown = html_of(record)
        assert set(re.findall("<([a-z0-9]+)", shown)) <= TAGS


def test_a_page_that_would_weigh_down_the_notebook_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    report = next(iter(REPORTS.values()))
    monkeypatch.setattr(notebook, "LARGEST_PAGE", len(html_renderer().render(report)) - 1)

    assert "<iframe" not in html_of(report)


def test_a_record_is_shown_by_its_fields_where_no_view_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_views, "_views", [])

    assert next(iter(REPORTS.values()))._repr_html_() is None


def test_importing_the_use_cases_sets_the_view_and_loads_no_page() -> None:
    lines = (
        "import sys, steelyard.app",
        "from steelyard.model import shown",
        "print(len(shown._views), 'steelyard.render.html.renderer' in sys.modules)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "; ".join(lines)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "1 False\n"
