from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.render.document.suites import SUITE_ROWS, overall_section, suites_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import interval, report, subject, suite
from tests.render.document.reading import columns, said


def test_several_suites_have_a_row_each() -> None:
    section = suites_section(report(subject(), suites=[suite("basics"), suite("parsing", score=0.5)]))

    assert columns(section) == {
        "suite": ["basics", "parsing"],
        "cases": ["6", "6"],
        "samples": ["30", "30"],
        "passed": ["23", "23"],
        "accuracy": ["0.7500", "0.7500"],
        "score": ["0.9000", "0.5000"],
    }


def test_a_single_suite_is_the_whole_and_needs_no_table() -> None:
    whole = report(subject("a"), suites=[suite("basics", model="a")])

    assert suites_section(whole).is_empty
    assert overall_section(whole).is_empty


def test_a_suite_without_a_score_is_named() -> None:
    empty = replace(suite("empty"), score=Estimate.undefined(Reason.NO_CASES))

    section = suites_section(report(subject(), suites=[suite("basics"), empty]))

    assert said(section) == ["score of empty: not defined, there are no cases"]


def test_very_many_suites_are_counted() -> None:
    many = [suite(f"suite-{number}") for number in range(SUITE_ROWS + 2)]

    section = suites_section(report(subject(), suites=many))

    assert len(section.rows) == SUITE_ROWS
    assert said(section) == ["and 2 more rows; --format json has all of them"]


def test_the_mean_of_suites_stands_beside_the_mean_of_cases() -> None:
    section = overall_section(report(subject("a"), suites=[suite("basics"), suite("parsing")]))

    assert columns(section) == {"model": ["a"], "mean of suites": ["0.8500"], "mean of cases": ["0.8667"]}


def test_suites_and_their_means_have_intervals_too() -> None:
    trusted = Estimate.of(0.8, interval(0.6, 0.9))
    one = replace(subject("a"), overall=replace(subject().overall, macro=trusted))
    suites = [replace(suite("basics"), accuracy=trusted), suite("parsing")]

    whole = report(one, suites=suites)

    assert columns(suites_section(whole))["accuracy, 95 % new cases"] == ["0.60–0.90", UNDEFINED]  # noqa: RUF001  # as shown
    assert columns(overall_section(whole))["mean of suites, 95 % new cases"] == ["0.60–0.90"]  # noqa: RUF001  # as shown
    assert said(suites_section(whole)) == []


def test_weights_bring_a_weighted_mean() -> None:
    weighted = replace(subject(), overall=replace(subject().overall, weighted=Estimate.of(0.875)))

    section = overall_section(report(weighted, suites=[suite("basics"), suite("parsing")]))

    assert columns(section)["weighted mean"] == ["0.8750"]
