"""A look turned into a verdict."""

import numpy as np
import pytest

from steelyard.metrics.cases import CaseCounts, CaseSums, Floats
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.sequential import Step
from steelyard.metrics.sequential_gate import (
    anytime_decision,
    decide_look,
    exact_z,
    look_decision,
    score_z,
    with_round,
)
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateRule, Ground, Verdict

RULE = GateRule()
STEADY = CaseCounts.of(n=5, c=[5] * 60)
FEW = CaseCounts.of(n=1, c=[1] * 10)
RUNS = 60  # of a simulation; `make simulate` has thousands


def runs(counts: CaseCounts) -> PairedRuns:
    return PairedRuns(baseline=counts, current=counts)


@pytest.mark.parametrize("step", [Step.CONTINUE, Step.NO_DROP])
def test_a_look_passes_as_soon_as_a_drop_of_the_margin_is_ruled_out(step: Step) -> None:
    assert look_decision(runs(STEADY), step, looks=5, rule=RULE).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("step", "ground"), [(Step.CONTINUE, Ground.TOO_FEW_SAMPLES), (Step.NO_DROP, Ground.NOT_RULED_OUT)]
)
def test_that_no_drop_was_shown_is_no_pass(step: Step, ground: Ground) -> None:
    decision = look_decision(runs(FEW), step, looks=5, rule=RULE)

    assert decision.verdict is Verdict.INCONCLUSIVE
    assert decision.grounds == (ground,)


def test_more_looks_need_a_tighter_bound() -> None:
    at_one, at_ten = (look_decision(runs(STEADY), Step.CONTINUE, looks=k, rule=RULE) for k in (1, 10))

    assert (at_ten.evidence.largest_plausible_drop or 0) > (at_one.evidence.largest_plausible_drop or 0)


def test_the_exact_z_is_below_the_plain_one_where_samples_are_few() -> None:
    before, after = CaseCounts.of(n=1, c=[1] * 5), CaseCounts.of(n=1, c=[0] * 5)
    plain = cmh_test(before, after).z

    assert plain is not None
    assert 0 < exact_z(before, after) < -plain


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


@pytest.mark.parametrize("number", [2, 5])
def test_a_look_fails_scores_that_fall_while_all_samples_pass(number: int) -> None:
    decision = decide_look(scored(HIGH, LOW), number=number, looks=5, rule=RULE)

    assert decision.verdict is Verdict.FAIL
    assert decision.grounds == (Ground.SCORE_DROP,)


def test_a_look_does_not_fail_scores_that_rise_or_stay() -> None:
    assert decide_look(scored(LOW, HIGH), number=5, looks=5, rule=RULE).verdict is Verdict.PASS
    assert decide_look(scored(HIGH, HIGH), number=5, looks=5, rule=RULE).verdict is Verdict.PASS


def test_passes_and_scores_share_alpha_at_a_look() -> None:
    noisy = np.random.default_rng(4).uniform(size=(60, 5))
    drops = {low: scored(noisy, noisy * low) for low in np.linspace(1, 0.7, 31).tolist()}
    # The last critical value of five looks at alpha is 1.75, at half of it 2.04.
    between = [runs for runs in drops.values() if 1.78 < (score_z(runs) or 0) < 2.0]

    assert between
    assert all(
        decide_look(runs, number=5, looks=5, rule=RULE).verdict is not Verdict.FAIL for runs in between
    )


def test_scores_without_a_change_fail_at_most_as_often_as_promised() -> None:
    random = np.random.default_rng(16)
    alarms = 0
    for _ in range(RUNS):
        before, after = random.beta(2, 1, size=(2, 30, 5))
        looks = [
            decide_look(scored(before[:, :k], after[:, :k]), number=k, looks=5, rule=RULE)
            for k in range(1, 6)
        ]
        alarms += any(look.verdict is Verdict.FAIL for look in looks)

    assert alarms <= RUNS * RULE.alpha


def test_an_open_score_keeps_a_look_from_giving_up() -> None:
    gives_up = look_decision(runs(FEW), Step.NO_DROP, looks=5, rule=RULE, score_step=Step.NO_DROP)
    goes_on = look_decision(runs(FEW), Step.NO_DROP, looks=5, rule=RULE, score_step=Step.CONTINUE)

    assert gives_up.grounds == (Ground.NOT_RULED_OUT,)
    assert goes_on.grounds == (Ground.TOO_FEW_SAMPLES,)


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


def test_a_look_at_no_cases_decides_nothing() -> None:
    nothing = CaseCounts.of(n=[], c=[])

    found = look_decision(
        PairedRuns(baseline=nothing, current=nothing), Step.NO_DROP, looks=5, rule=GateRule()
    )

    assert (found.verdict, found.grounds) == (Verdict.INCONCLUSIVE, (Ground.NO_SHARED_CASES,))
