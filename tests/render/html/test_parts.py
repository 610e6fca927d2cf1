from steelyard.app.views import html_renderer
from steelyard.render.charts.names import PageLinks
from steelyard.render.document.blocks import Section, line
from steelyard.render.html.parts import REPORT_PARTS, PagePart, all_folded, navigation
from tests.analysis.gates import clear_drop


def test_the_figures_of_single_runs_come_last_and_are_folded() -> None:
    folded = str(all_folded([Section(lines=(line("a run"),))]))

    assert REPORT_PARTS[-1].id == "runs"
    assert REPORT_PARTS[-1].layout is all_folded
    assert folded.startswith("<details><summary>")
    assert "a run" in folded


def test_nothing_to_fold_is_nothing() -> None:
    assert all_folded([Section()]) is None


def test_the_page_of_a_gate_asks_why_once() -> None:
    text = html_renderer().render(clear_drop())

    assert text.count("<h2>Why</h2>") == 1
    assert "why: " not in text


def test_a_report_has_at_most_eight_tabs() -> None:
    parts = [PagePart(id=plan.id, title=plan.title, content="x", tab=plan.tab) for plan in REPORT_PARTS]
    cases = PagePart(id="cases", title="Cases", content="x")

    bar = navigation([*parts, cases])

    assert bar.partition("<nav")[2].count('<a href="#') <= 8
    assert 'href="#cost"' in bar
    assert 'href="#latency"' not in bar  # it shares the tab of cost


def test_other_pages_come_first_in_the_bar() -> None:
    bar = navigation([], PageLinks(report="report.html", gate="gate.html"))

    assert bar.index('href="report.html"') < bar.index('href="gate.html"')
    assert "comparison" not in bar
