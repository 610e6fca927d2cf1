"""Figures for each k that a report holds only if asked for."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from steelyard.analysis.build import build_report
from steelyard.errors import UserError
from steelyard.metrics.intervals import mean_interval
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report, SubjectAtK
from steelyard.model.state import CaseState, ExpectedCase
from tests.analysis.counted import case, evidence, reported

CASES = (case("a", 6, 3), case("b", 6, 5), case("c", 6, 0))


def report_of(*states: CaseState, expected: tuple[str, ...] = (), **options: object) -> Report:
    wanted = frozenset(ExpectedCase("s", name) for name in expected) or None
    chosen = ReportOptions(**{"pass_k": (1, 4), **options})  # type: ignore[arg-type]  # any option
    return build_report(evidence(*states), chosen, wanted)


def share_of_draws(passed: int, need: int) -> float:
    """Return the share of draws of 4 out of 6 samples in which enough pass."""
    draws = list(combinations([1] * passed + [0] * (6 - passed), 4))
    return sum(sum(draw) >= need for draw in draws) / len(draws)


def estimates(found: SubjectAtK) -> list[Estimate]:
    """Return all estimates of a subject."""
    return [*(at.estimate for at in found.g_pass_at_k), *(at.estimate for at in found.mg_pass_at_k)]


def test_nothing_was_asked_for_and_nothing_is_said() -> None:
    assert report_of(*CASES).also_at_k == ()


def test_g_pass_has_a_value_for_each_tau_with_its_interval() -> None:
    [found] = report_of(*CASES, also_at_k=("g-pass",)).also_at_k

    assert (found.model, found.tier) == ("m", "T0")
    assert [(at.k, at.tau) for at in found.g_pass_at_k] == [(4, 0.5), (4, 0.75)]
    for at, need in zip(found.g_pass_at_k, (2, 3), strict=True):
        of_cases = [share_of_draws(passed, need) for passed in (3, 5, 0)]
        assert at.estimate.value == pytest.approx(sum(of_cases) / 3)
        assert at.estimate.intervals == (mean_interval(of_cases, level=0.95),)


def test_mg_pass_averages_the_thresholds_above_one_half() -> None:
    [found] = report_of(*CASES, also_at_k=("g-pass",)).also_at_k
    [at] = found.mg_pass_at_k

    of_cases = [(share_of_draws(passed, 3) + share_of_draws(passed, 4)) / 2 for passed in (3, 5, 0)]
    assert at.k == 4
    assert at.estimate.value == pytest.approx(sum(of_cases) / 3)
    assert at.estimate.intervals == (mean_interval(of_cases, level=0.95),)


def test_a_missing_case_counts_as_failed() -> None:
    [found] = report_of(case("a", 6, 6), expected=("a", "b"), also_at_k=("g-pass",)).also_at_k

    assert [one.value for one in estimates(found)] == [0.5, 0.5, 0.5]


def test_with_too_few_samples_the_reason_stands_in_its_place() -> None:
    [found] = report_of(case("a", 3, 3), also_at_k=("g-pass",)).also_at_k

    assert {(one.value, one.reason) for one in estimates(found)} == {(None, Reason.K_EXCEEDS_N)}


def test_a_stop_rule_leaves_no_figure() -> None:
    [found] = report_of(case("a", 1, 1), also_at_k=("g-pass",), stop_rule="maximum=4,passes=1").also_at_k

    assert {(one.value, one.reason) for one in estimates(found)} == {(None, Reason.OPTIONAL_STOPPING)}


def test_a_single_sample_is_too_few_to_ask_about() -> None:
    with pytest.raises(UserError, match="needs a k of at least 2"):
        report_of(*CASES, pass_k=(1,), also_at_k=("g-pass",))


# --- max@k: the scores of two cases, one of which has an errored sample --------------------------------

SCORED = "case,attempt,passed,score\n" + "".join(
    f"{name},{attempt},{'' if score is None else score == 1},{'' if score is None else score}\n"
    for name, scores in {"a": (0, 0.25, 0.25, 1), "b": (0.5, 0, 0.75, None)}.items()
    for attempt, score in enumerate(scores)
)


def mean_best(scores: Sequence[float], k: int) -> float:
    """Return the mean over all draws of k of their highest score."""
    best = [max(draw) for draw in combinations(scores, k)]
    return sum(best) / len(best)


@pytest.mark.parametrize(("errors", "of_b"), [("exclude", (0.5, 0, 0.75)), ("fail", (0.5, 0, 0.75, 0))])
def test_max_is_the_highest_score_to_expect(tmp_path: Path, errors: str, of_b: tuple[float, ...]) -> None:
    whole = reported(tmp_path, SCORED, pass_k=(1, 2, 3), also_at_k=("max",), errors=errors)

    [found] = whole.also_at_k
    assert (found.g_pass_at_k, found.mg_pass_at_k) == ((), ())
    assert [at.k for at in found.max_at_k] == [2, 3]
    for at in found.max_at_k:
        of_cases = [mean_best((0, 0.25, 0.25, 1), at.k), mean_best(of_b, at.k)]
        assert at.estimate.value == pytest.approx(sum(of_cases) / 2)
        assert at.estimate.intervals[0].low == pytest.approx(mean_interval(of_cases).low)


def test_a_missing_case_scores_0_at_best(tmp_path: Path) -> None:
    rows = "model,case,passed,score\n" + "m,a,true,1\n" * 2 + "m,b,true,1\n" * 2 + "other,a,true,0.5\n" * 2
    both = reported(tmp_path, rows, pass_k=(2,), also_at_k=("max",)).also_at_k

    assert [one.max_at_k[0].estimate.value for one in both] == [1.0, 0.25]


@pytest.mark.parametrize(
    ("k", "options", "reason"),
    [
        (4, {}, Reason.K_EXCEEDS_N),
        (2, {"stop_rule": "maximum=4,passes=4"}, Reason.OPTIONAL_STOPPING),
    ],
)
def test_max_says_why_there_is_none(tmp_path: Path, k: int, options: dict[str, str], reason: Reason) -> None:
    [found] = reported(tmp_path, SCORED, pass_k=(k,), also_at_k=("max",), **options).also_at_k

    assert [(at.estimate.value, at.estimate.reason) for at in found.max_at_k] == [(None, reason)]


def test_a_sample_without_a_score_leaves_max_undefined(tmp_path: Path) -> None:
    rows = "case,passed,score\na,true,1\na,true,\na,false,0\n"
    [found] = reported(tmp_path, rows, pass_k=(2,), also_at_k=("max",)).also_at_k

    assert found.max_at_k[0].estimate.reason is Reason.PARTLY_MEASURED
