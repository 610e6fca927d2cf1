"""Runs: one sample of every case, each with its own figures, and how they spread."""

from pathlib import Path

import pytest

from steelyard.model.estimate import Reason
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.report_runs import RunsSummary
from tests.analysis.counted import reported

HEADER = "model,tier,case,attempt,passed,impl_rate,cost_usd,latency_s\n"


def rows(tier: str, *runs: tuple[tuple[bool, float], ...], cost: float = 0.1) -> str:
    """Return lines in which each run has (passed, impl rate) for each case."""
    return "".join(
        f"m,{tier},c{case},{attempt},{passed},{rate},{cost},2\n"
        for attempt, run in enumerate(runs)
        for case, (passed, rate) in enumerate(run)
    )


GOOD, HALF, BAD = (True, 0.8), (True, 0.4), (False, 0.2)
BASELINE = rows("T0", (GOOD, BAD), (HALF, BAD), (BAD, BAD))
BETTER = rows("T1", (GOOD, GOOD), (GOOD, BAD), (GOOD, HALF), cost=0.3)


def runs_of(subject: SubjectSummary) -> RunsSummary:
    assert subject.runs is not None
    return subject.runs


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return reported(tmp_path, HEADER + BASELINE + BETTER)


def test_rates_are_means_over_the_cases_and_cost_and_time_are_sums(report: Report) -> None:
    first, second, third = runs_of(report.subjects[0]).runs

    assert (first.run, first.cases, first.passed, first.is_whole) == ("0", 2, 1, True)
    assert (first.pass_rate, first.impl_rate, first.score) == (0.5, 0.5, 0.5)
    assert (first.cost_usd, first.duration_s) == (0.2, 4.0)
    assert first.cost_of_pass is not None
    assert first.cost_of_pass.value == 0.2
    assert second.score == pytest.approx((0.7 + 0.1) / 2)
    assert third.cost_of_pass is not None
    assert third.cost_of_pass.infinite


def test_the_seven_numbers_are_those_of_the_runs(report: Report) -> None:
    spreads = runs_of(report.subjects[0]).spreads

    assert (spreads.pass_rate.median, spreads.pass_rate.count) == (0.5, 3)
    assert spreads.score.median == 0.4
    assert (spreads.cost_of_pass.median, spreads.cost_of_pass.max) == (0.2, None)
    assert spreads.cost_of_pass.reason is Reason.NO_PASSES


def test_the_uplift_is_that_of_the_median_runs(report: Report) -> None:
    baseline, better = map(runs_of, report.subjects)

    assert baseline.uplift_of_median is None
    assert better.spreads.score.median == 0.8
    assert better.uplift_of_median is not None
    assert better.uplift_of_median.value == pytest.approx(1.0)
    assert better.grade.letter == "C"


def test_tiers_are_compared_by_their_median_runs(report: Report) -> None:
    (tiers,) = report.tiers

    assert tiers.over_runs is not None
    assert tiers.over_runs.pass_rate_variance.value == 0.0625  # of 1/2 and 1
    assert tiers.over_runs.cost_delta_usd.value == pytest.approx(0.4)


def test_a_run_in_which_a_case_has_no_evidence_enters_no_statistics(tmp_path: Path) -> None:
    report = reported(tmp_path, HEADER + BASELINE + "m,T0,c0,3,True,0.9,0.1,2\n")

    found = runs_of(report.subjects[0])
    assert [run.is_whole for run in found.runs] == [True, True, True, False]
    assert (found.whole, found.spreads.score.count) == (3, 3)


def test_a_missing_case_that_counts_as_failed_does_so_in_every_run(tmp_path: Path) -> None:
    report = reported(tmp_path, HEADER + BASELINE + "n,T0,c0,0,True,1,0.1,2\n")

    (run,) = runs_of(report.subjects[1]).runs
    assert (run.is_whole, run.pass_rate, run.score) == (True, 0.5, 0.5)


def test_our_own_errors_make_a_run_partial_unless_they_count_as_failures(tmp_path: Path) -> None:
    text = HEADER + BASELINE + "m,T0,c0,3,True,0.9,0.1,2\nm,T0,c1,3,,,0.1,2\n"

    left_out = runs_of(reported(tmp_path, text).subjects[0])
    counted = runs_of(reported(tmp_path, text, errors="fail").subjects[0])

    assert (left_out.whole, counted.whole) == (3, 4)
    assert counted.runs[3].pass_rate == 0.5


def test_what_was_not_measured_is_unknown(tmp_path: Path) -> None:
    report = reported(tmp_path, "model,case,attempt,passed\nm,a,0,True\nm,a,1,False\n")

    found = runs_of(report.subjects[0])
    assert (found.runs[0].cost_usd, found.runs[0].cost_of_pass, found.runs[0].impl_rate) == (None, None, None)
    assert found.spreads.cost_usd.reason is Reason.NOT_MEASURED
    assert found.spreads.cost_of_pass.reason is Reason.NOT_MEASURED
    assert found.spreads.pass_rate.median == 0.5


def test_a_cost_that_only_some_runs_have_has_no_median(tmp_path: Path) -> None:
    report = reported(tmp_path, "model,case,attempt,passed,cost_usd\nm,a,0,True,1\nm,a,1,False,\n")

    found = runs_of(report.subjects[0])
    assert found.spreads.cost_usd.reason is Reason.PARTLY_MEASURED
    assert found.spreads.cost_usd.median is None


PRICED = "model,case,attempt,classification,cost_usd,latency_s\nm,a,1,pass,1,2\nm,b,1,fail,1,2\n"


@pytest.mark.parametrize(
    ("answer", "error", "errors", "known"),
    [
        ("1,2", ",", "exclude", (1.0, 2.0)),
        ("1,2", ",", "fail", (None, None)),
        ("1,2", "1,2", "exclude", (2.0, 2.0)),
        ("1,2", "1,2", "fail", (2.0, None)),  # how long an error took says nothing of the model
        (",2", "1,2", "exclude", (None, 2.0)),
        (",2", "1,2", "fail", (None, None)),
    ],
)
def test_a_run_has_a_cost_and_a_time_if_those_of_all_its_samples_are_known(
    tmp_path: Path, answer: str, error: str, errors: str, known: tuple[float | None, float | None]
) -> None:
    text = PRICED + f"m,a,0,pass,{answer}\nm,b,0,error,{error}\n"

    [subject] = reported(tmp_path, text, errors=errors).subjects

    found, is_unknown = runs_of(subject), known[0] is None
    assert (found.runs[0].cost_usd, found.runs[0].duration_s) == known
    assert (subject.total_cost_usd.value is None) is is_unknown
    assert (subject.cost_of_pass is None) is is_unknown
    if errors == "fail":
        assert (found.spreads.cost_usd.median is None) is is_unknown


def test_without_whole_runs_there_is_no_grade(tmp_path: Path) -> None:
    found = runs_of(reported(tmp_path, "model,case,attempt,passed\nm,a,0,True\nm,b,1,True\n").subjects[0])

    assert (found.whole, found.grade.letter) == (0, None)
    assert found.spreads.pass_rate.reason is Reason.NO_SAMPLES
    assert found.spreads.cost_of_pass.reason is Reason.NO_SAMPLES


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("model,case,passed\nm,a,True\n", {}),
        ("model,case,attempt,passed\nm,a,0,True\n", {"stop_rule": "maximum=3,passes=1"}),
        ("model,case,attempt,passed\n" + "".join(f"m,a,{n},True\n" for n in range(101)), {}),
    ],
    ids=["no attempts", "a stop rule", "too many"],
)
def test_runs_are_left_out_where_nobody_could_read_them(
    tmp_path: Path, text: str, options: dict[str, object]
) -> None:
    assert reported(tmp_path, text, **options).subjects[0].runs is None
