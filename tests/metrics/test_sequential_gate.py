"""A round of a sequence turned into a verdict."""

import numpy as np
import pytest

from steelyard.metrics.cases import CaseCounts, CaseSums, Floats
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.sequential_gate import anytime_decision, with_round
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateRule, Ground, Verdict

RULE = GateRule()
FEW = CaseCounts.of(n=1, c=[1] * 10)
RUNS = 60  # of a simulation; `make simulate` has thousands


def runs(counts: CaseCounts) -> PairedRuns:
    return PairedRuns(baseline=counts, current=counts)


def test_anytime_evidence_passes_by_the_pairs_of_all_rounds() -> None:
    assert anytime_decision(runs(FEW), PairsSeen(same=10), rule=RULE).verdict is Verdict.INCONCLUSIVE
    assert anytime_decision(runs(FEW), PairsSeen(same=90), rule=RULE).verdict is Verdict.PASS
    assert anytime_decision(runs(FEW), PairsSeen(losses=17), rule=RULE).verdict is Verdict.FAIL
    given_up = anytime_decision(runs(FEW), PairsSeen(losses=20, wins=40), rule=GateRule(margin=0.01))
    assert given_up.grounds == (Ground.NOT_RULED_OUT,) or given_up.verdict is Verdict.PASS


def scored(before: Floats, after: Floats) -> PairedRuns:
    """Return runs in which all samples pass; scores are in rows of cases."""
    sums = [
        CaseSums.of(
            n=[len(case) for case in run],
            total=run.sum(axis=1).tolist(),
            total_sq=(run**2).sum(axis=1).tolist(),
        )
        for run in (before, after)
    ]
    passes = CaseCounts.of(n=before.shape[1], c=[before.shape[1]] * len(before))
    return PairedRuns(baseline=passes, current=passes, scores=(sums[0], sums[1]))


HIGH, LOW = np.full((60, 5), 0.975), np.full((60, 5), 0.525)


def test_rounds_fail_scores_that_fall_while_all_samples_pass() -> None:
    last = scored(HIGH[:, :1], LOW[:, :1])
    seen = with_round(PairsSeen(), last, margin=RULE.margin)

    decision = anytime_decision(last, seen, rule=RULE)

    assert decision.grounds == (Ground.SCORE_DROP,)
    assert decision.evidence.sequence is not None
    assert decision.evidence.sequence.fails_at == pytest.approx(40)


def test_rounds_do_not_pass_while_the_scores_may_have_fallen_by_the_margin() -> None:
    last = scored(np.full((100, 1), 0.9), np.full((100, 1), 0.84))
    seen = with_round(PairsSeen(), last, margin=RULE.margin)

    assert anytime_decision(last, seen, rule=RULE).verdict is not Verdict.PASS
    same = scored(np.full((100, 1), 0.9), np.full((100, 1), 0.9))
    assert (
        anytime_decision(same, with_round(PairsSeen(), same, margin=0.05), rule=RULE).verdict is Verdict.PASS
    )


def test_scores_that_come_later_count_as_the_passes_did_before() -> None:
    plain = PairedRuns(baseline=CaseCounts.of(n=1, c=[1] * 4), current=CaseCounts.of(n=1, c=[0, 1, 1, 1]))
    ones = np.ones((4, 1))
    as_scores = scored(ones, np.array([[0.0], [1.0], [1.0], [1.0]]))
    fine = scored(ones, ones * 0.5)

    late = with_round(with_round(PairsSeen(), plain, margin=0.05), fine, margin=0.05)
    early = with_round(with_round(PairsSeen(), as_scores, margin=0.05), fine, margin=0.05)

    assert late.score_stakes == pytest.approx(early.score_stakes)
    assert with_round(late, plain, margin=0.05).score_stakes != late.score_stakes


def test_a_round_with_too_many_errors_decides_nothing() -> None:
    broken = PairedRuns(baseline=FEW, current=FEW, error_share=0.5)

    decided = anytime_decision(broken, PairsSeen(same=90), rule=RULE)

    assert (decided.verdict, decided.grounds) == (Verdict.INCONCLUSIVE, (Ground.TOO_MANY_ERRORS,))
