"""Verdicts that once misled: a proven small drop, useless advice, names without evidence of their own."""

import random

from steelyard.analysis.gate import gate_reports
from steelyard.model.verdict import GateRule, Ground, Verdict
from steelyard.render.text import TextRenderer
from tests.analysis.runs import run


def test_a_drop_surely_smaller_than_the_margin_passes() -> None:
    before, after = [(50, 45)] * 200, [(50, 44)] * 200

    within = gate_reports(run(before), run(after))
    beyond = gate_reports(run(before), run(after), rule=GateRule(margin=0.02))

    assert within.verdict is Verdict.PASS
    assert (within.subjects[0].decision.evidence.p_overall or 1) < 0.001
    assert beyond.verdict is Verdict.FAIL


def test_a_broken_case_fails_though_the_mean_hardly_moved() -> None:
    steady = [(5, 5)] * 200

    assert gate_reports(run(steady), run([(5, 0), *steady[1:]])).verdict is Verdict.FAIL


def test_no_number_of_samples_is_advised_where_cases_are_missing() -> None:
    noisy = [(5, 4), (5, 5)] * 30

    [subject] = gate_reports(run(noisy), run(noisy[:30])).subjects

    assert subject.decision.grounds == (Ground.MISSING_CASES,)
    assert subject.decision.evidence.more_samples is None


def test_no_case_is_named_by_the_evidence_of_others() -> None:
    """Many cases fall a little, and none of them beyond noise by itself."""
    chance = random.Random(5)
    before = [(10, chance.randint(4, 6)) for _ in range(60)]
    after = [(n, max(0, c - 3) if place < 30 else min(n, c + 3)) for place, (n, c) in enumerate(before)]

    [subject] = gate_reports(run(before), run(after)).subjects

    assert subject.decision.grounds == (Ground.SEVERAL_CASES,)
    assert subject.broken_cases == ()
    assert subject.carried_by
    assert "none of them beyond noise alone" in TextRenderer().render(gate_reports(run(before), run(after)))
