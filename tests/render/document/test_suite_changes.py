"""The change of each suite, and the chart of letters."""

from dataclasses import replace

from steelyard.analysis.build import build_report
from steelyard.analysis.compare import compare_reports
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence
from steelyard.render.document.comparison import pair_labels
from steelyard.render.document.suite_changes import sparkline, suite_changes
from steelyard.render.markdown.renderer import MarkdownRenderer
from steelyard.render.text import TextRenderer
from tests.analysis.comparisons import change, comparison


def two_suites(passes: dict[str, int]) -> Report:
    """Report on ten cases in each of two suites, ten samples of each case."""
    states = [
        CaseState(
            "m",
            "T0",
            suite,
            f"case-{number}",
            n=10,
            c=c,
            score_n=10,
            score_sum=c * 10**6,
            score_sq=c * 10**12,
        )
        for suite, c in passes.items()
        for number in range(10)
    ]
    evidence = Evidence(states=tuple(states), scoring=Scoring(name="plausible", version=1), spreads={})
    return build_report(evidence, ReportOptions())


def test_each_suite_has_its_own_change_and_together_they_are_the_whole() -> None:
    found = compare_reports(two_suites({"a": 9, "b": 5}), two_suites({"a": 9, "b": 2}))

    first, second = found.suites
    assert (first.suite, first.pass_rate_change.value, first.worse, first.better) == ("a", 0, 0, 0)
    assert (second.suite, second.worse, second.better, second.cases) == ("b", 10, 0, 10)
    assert second.pass_rate_change.value is not None
    assert abs(second.pass_rate_change.value + 0.3) < 1e-12
    whole = found.subjects[0].pass_rate_change.value
    assert whole is not None
    assert abs(whole - (0 - 0.3) / 2) < 1e-12


def test_the_suites_are_a_table_where_there_are_several() -> None:
    found = compare_reports(two_suites({"a": 9, "b": 5}), two_suites({"a": 9, "b": 2}))
    section = suite_changes(found, pair_labels(found))

    assert [column.title for column in section.columns][:2] == ["suite", "cases"]
    assert "-30.0" in TextRenderer().render(found)
    lone = compare_reports(two_suites({"a": 9}), two_suites({"a": 8}))
    assert suite_changes(lone, pair_labels(lone)).is_empty


def test_the_chart_of_letters_has_drops_on_the_left_and_gains_on_the_right() -> None:
    whole = comparison(
        regressions=[change("a", 1.0, 0.0), change("b", 0.9, 0.8), change("c", 0.9, 0.8)],
        improvements=[change("d", 0.5, 1.0)],
    )
    (line,) = sparkline(whole)

    assert "▄········█|·····▄····" in str(line.pieces)
    assert sparkline(comparison()) == ()
    assert "|·····▄····" in MarkdownRenderer().render(whole)
    assert "|·····▄····" not in TextRenderer().render(whole)


def test_a_long_list_of_changes_is_folded_and_a_short_one_is_not() -> None:
    long = [change(f"case-{number}", 0.9, 0.1) for number in range(11)]

    folded = MarkdownRenderer().render(comparison(regressions=long))
    openly = MarkdownRenderer().render(comparison(regressions=long[:10]))

    assert "<summary>Regressions by the threshold rule, largest first</summary>" in folded
    assert "### Regressions by the threshold rule, largest first" in openly


def test_a_comment_of_a_comparison_with_very_many_changes_fits() -> None:
    many = [change(f"a-rather-long-name-of-a-case-{number:05d}", 0.9, 0.1) for number in range(5_000)]
    whole = comparison(regressions=many, improvements=[replace(one, delta=0.8) for one in many])

    assert len(MarkdownRenderer().render(whole)) < 65_000
