"""Which cases a verdict rests on: those beyond noise, then the largest drops."""

from dataclasses import replace

import pytest

from steelyard.analysis.carrying import carrying_cases
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.pairing import pair_reports
from steelyard.model.gate import CarryingCase
from steelyard.model.report import CaseSummary
from steelyard.model.verdict import GateDecision, GateEvidence, Ground, Verdict
from tests.analysis.runs import run

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10

Counts = list[tuple[int, int]]


def carried(before: Counts, after: Counts) -> tuple[Verdict, tuple[CarryingCase, ...]]:
    found = gate_reports(run(before), run(after))
    [subject] = found.subjects
    return found.verdict, subject.carried_by


def test_a_verdict_by_single_cases_rests_on_these_and_no_others() -> None:
    noisy = [(10, 5)] * 58
    verdict, cases = carried([(10, 10), (10, 5), *noisy], [(10, 0), (10, 4), *noisy])

    assert verdict is Verdict.FAIL
    assert [(one.case.case, one.stands_out) for one in cases] == [("case-000", True)]
    assert (cases[0].baseline_passed, cases[0].current_passed, cases[0].current_samples) == (10, 0, 10)


def test_a_drop_of_all_rests_on_the_largest_drops_ten_at_the_most() -> None:
    verdict, cases = carried(STEADY, [(5, 1), *[(5, 3)] * 59, *STEADY[60:]])

    assert verdict is Verdict.FAIL
    assert cases[0].case.case == "case-000"
    assert len(cases) == 10


def test_a_pass_rests_on_no_case() -> None:
    assert carried(STEADY, STEADY) == (Verdict.PASS, ())


def test_a_verdict_on_scores_names_no_case_by_its_passes() -> None:
    fallen = replace(run(STEADY), cases=tuple(_scored(case, 300_000) for case in run(STEADY).cases))
    before = replace(run(STEADY), cases=tuple(_scored(case, 900_000) for case in run(STEADY).cases))

    found = gate_reports(before, fallen)

    assert found.verdict is Verdict.FAIL
    assert found.subjects[0].carried_by == ()


def _scored(case: CaseSummary, micro: int) -> CaseSummary:
    return replace(case, score_n=case.n, score_sum_micro=case.n * micro, score_sq_micro=case.n * micro**2)


# Shares passed: 0.9 to 0.8, 1 to 0.75, 0.4 to 0.4, 0.5 to 0.9, 0.5 to 0.4, 1 to 0.
BEFORE = [(10, 9), (4, 4), (5, 2), (10, 5), (4, 2), (2, 2)]
AFTER = [(5, 4), (8, 6), (10, 4), (10, 9), (5, 2), (3, 0)]


def named(*grounds: Ground, broken: tuple[int, ...] = (), standing_out: tuple[int, ...] = ()) -> list[int]:
    """Return the rows that a decision on these grounds names, in its order."""
    [pairing] = pair_reports(run(BEFORE), run(AFTER)).pairs
    evidence = GateEvidence(cases=6, error_share=0.0, broken_cases=broken, standing_out=standing_out)
    found = carrying_cases(pairing, GateDecision(verdict=Verdict.FAIL, grounds=grounds, evidence=evidence))
    assert {one.case.case for one in found if one.stands_out} == {
        f"case-{row:03d}" for row in (*broken, *standing_out)
    }
    return [int(one.case.case.removeprefix("case-")) for one in found]


@pytest.mark.parametrize(
    "ground", [Ground.OVERALL_DROP, Ground.TOO_FEW_SAMPLES, Ground.NOT_RULED_OUT, Ground.TO_BE_CONFIRMED]
)
def test_a_drop_of_all_rests_on_what_dropped_by_share_and_on_nothing_else(ground: Ground) -> None:
    # Cases 0 and 4 both drop by 0.1, give or take the last bit.
    first, second, *equal = named(ground)

    assert (first, second) == (5, 1)
    assert sorted(equal) == [0, 4]


def test_cases_beyond_noise_come_first_whatever_their_drop() -> None:
    assert named(Ground.OVERALL_DROP, Ground.BROKEN_CASES, broken=(0,), standing_out=(2,))[:4] == [0, 2, 5, 1]
    assert named(Ground.TOO_FEW_SAMPLES, Ground.CASES_STAND_OUT, standing_out=(3, 1))[:3] == [1, 3, 5]


@pytest.mark.parametrize(
    "grounds",
    [(Ground.BROKEN_CASES,), (Ground.CASES_STAND_OUT,), (Ground.BROKEN_CASES, Ground.CASES_STAND_OUT)],
)
def test_where_single_cases_alone_decided_no_other_is_named(grounds: tuple[Ground, ...]) -> None:
    assert named(*grounds, broken=(1,), standing_out=(0,)) == [1, 0]


@pytest.mark.parametrize("ground", [Ground.WITHIN_MARGIN, Ground.SCORE_DROP, Ground.TOO_MANY_ERRORS])
def test_a_verdict_that_is_not_about_passes_names_no_case(ground: Ground) -> None:
    assert named(ground) == []
