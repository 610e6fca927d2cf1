from dataclasses import replace

from steelyard.analysis.carrying import MOST
from steelyard.analysis.gate import gate_reports
from steelyard.model.gate import CarryingCase
from steelyard.model.report import CaseSummary
from steelyard.model.verdict import Verdict
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
    assert len(cases) == MOST


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
