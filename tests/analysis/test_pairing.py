"""Pairing the cases of two reports."""

from dataclasses import replace

import pytest

from steelyard.analysis.compare import compare_reports
from steelyard.analysis.pairing import pair_reports
from steelyard.errors import InputError, UserError
from steelyard.model.options import Errors
from steelyard.model.report import Report
from tests.analysis.runs import report_of, run


def _with_digest(report: Report, digest: str) -> Report:
    return replace(report, cases=tuple(replace(case, digest=digest) for case in report.cases))


def test_cases_of_the_same_subject_suite_and_id_are_paired() -> None:
    found = pair_reports(run([(1, 1), (1, 0)]), run([(1, 1), (1, 1)]))

    assert [pair.current.case for pair in found.pairs[0].cases] == ["case-000", "case-001"]


def test_a_case_in_only_one_report_is_listed_as_new_or_removed() -> None:
    more, fewer = run([(1, 1), (1, 0)]), run([(1, 1)])

    assert [case.case for case in pair_reports(fewer, more).new] == ["case-001"]
    assert [case.case for case in pair_reports(more, fewer).removed] == ["case-001"]


def test_a_case_whose_digest_changed_is_not_paired() -> None:
    found = pair_reports(_with_digest(run([(1, 1)]), "old"), _with_digest(run([(1, 1)]), "new"))

    assert [case.case for case in found.changed] == ["case-000"]
    assert not found.pairs[0].cases


def test_a_case_without_evidence_is_listed() -> None:
    found = pair_reports(run([(1, 1)]), run([(0, 0)], errors=3))

    assert [case.case for case in found.without_evidence] == ["case-000"]


def test_a_single_subject_on_each_side_is_a_pair_whatever_the_names() -> None:
    found = pair_reports(run([(1, 1)], model="old"), run([(1, 1)], model="new"))

    assert (found.pairs[0].subject.baseline_model, found.pairs[0].subject.current_model) == ("old", "new")


def test_reports_without_a_common_subject_are_refused() -> None:
    two = report_of({("a", "T0"): [(1, 1)], ("b", "T0"): [(1, 1)]})

    with pytest.raises(InputError, match="subject"):
        pair_reports(two, run([(1, 1)], model="c"))


def test_a_subject_in_only_one_report_takes_its_cases_along() -> None:
    two = report_of({("a", "T0"): [(1, 1)], ("b", "T0"): [(1, 1)]})

    found = pair_reports(two, run([(1, 1)], model="a"))

    assert [case.model for case in found.removed] == ["b"]
    assert [case.model for case in pair_reports(run([(1, 1)], model="a"), two).new] == ["b"]


def test_a_case_that_one_run_has_not_drawn_yet_is_not_called_changed() -> None:
    found = pair_reports(_with_digest(run([(1, 1)]), "old"), run([(0, 0)]))

    assert (found.changed, [case.case for case in found.without_evidence]) == ((), ["case-000"])


def test_errors_that_count_as_failures_are_not_counted_twice() -> None:
    report = run([(4, 2)], errors=2)
    failing = replace(report, settings=replace(report.settings, errors=Errors.FAIL))

    assert pair_reports(report, report).pairs[0].error_share > 0
    assert pair_reports(failing, failing).pairs[0].error_share == 0


def test_reports_that_treat_errors_differently_are_not_compared() -> None:
    report = run([(4, 2)], errors=2)
    failing = replace(report, settings=replace(report.settings, errors=Errors.FAIL))

    with pytest.raises(UserError, match=r"report.*counts"):
        compare_reports(report, failing)
