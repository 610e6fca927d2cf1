"""A gate over a run that is not finished."""

from dataclasses import replace

from steelyard.analysis.gate import gate_reports
from steelyard.model.verdict import GateRule, Ground, Verdict
from tests.analysis.runs import run

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10
BROKEN = [(5, 0), *STEADY[1:]]


def test_a_run_that_is_not_finished_does_not_pass_unless_that_is_allowed() -> None:
    before, after = run(STEADY), replace(run(STEADY), planned_samples=700)

    found = gate_reports(before, after)

    assert found.verdict is Verdict.INCONCLUSIVE
    assert [subject.decision.grounds for subject in found.subjects] == [(Ground.UNFINISHED,)]
    assert gate_reports(before, after, rule=GateRule(allow_missing=True)).verdict is Verdict.PASS


def test_a_run_that_is_not_finished_fails_as_any_other() -> None:
    found = gate_reports(run(STEADY), replace(run(BROKEN), planned_samples=700))

    assert found.verdict is Verdict.FAIL
