"""The parts that every form of gate is made of."""

import pytest

from steelyard.metrics.decisions import is_at_most, is_within_margin, passed_or_open, shares_of_alpha
from steelyard.model.verdict import GateEvidence, GateRule, Ground, Verdict

RULE = GateRule()


def found(passes: float, scores: float | None = None, *standing_out: int) -> GateEvidence:
    return GateEvidence(
        cases=9,
        error_share=0,
        largest_plausible_drop=passes,
        largest_plausible_score_drop=scores,
        standing_out=standing_out,
        more_samples=3,
    )


@pytest.mark.parametrize(
    ("evidence", "within"), [(found(0.04), True), (found(0.05), False), (found(0.04, 0.06), False)]
)
def test_both_passes_and_scores_must_be_within_the_margin(evidence: GateEvidence, *, within: bool) -> None:
    assert is_within_margin(evidence, RULE) is within


def test_a_case_that_stands_out_takes_a_pass_back() -> None:
    decision = passed_or_open(found(0.04, None, 2), is_within=True)

    assert (decision.verdict, decision.grounds) == (Verdict.INCONCLUSIVE, (Ground.CASES_STAND_OUT,))
    assert passed_or_open(found(0.04), is_within=True).verdict is Verdict.PASS


def test_alpha_is_never_spent_twice() -> None:
    for passes in (True, False):
        for p in (None, 0.5):
            assert sum(shares_of_alpha(passes=passes, p_score=p, alpha=0.05)) == pytest.approx(0.05)


def test_a_p_value_at_the_level_is_low_enough() -> None:
    assert is_at_most(0.1 + 0.2, 0.3)
    assert not is_at_most(0.31, 0.3)
