from steelyard.analysis.carrying import MOST
from steelyard.analysis.gate import gate_reports
from steelyard.model.gate import CarryingCase
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
