"""A look turned into a verdict."""

import pytest

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.looking import anytime_decision, exact_z, look_decision
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.sequential import Step
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateRule, Ground, Verdict

RULE = GateRule()
STEADY = CaseCounts.of(n=5, c=[5] * 60)
FEW = CaseCounts.of(n=1, c=[1] * 10)


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
