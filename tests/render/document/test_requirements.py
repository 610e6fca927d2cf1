"""What is said of the requirements of a policy."""

import pytest

from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import SubjectGate
from steelyard.model.policy import Metric, Requirement
from steelyard.model.verdict import GateDecision, GateEvidence, Ground, Verdict
from steelyard.render.document.requirements import requirement_reason

PAIR = PairedSubject(baseline_model="m", baseline_tier="T0", current_model="m", current_tier="T0")
COST = Requirement(metric=Metric.COST, suites=(), margin=0.1)


def reason(ground: Ground, *bounds: float) -> str:
    smallest, largest = bounds or (None, None)
    evidence = GateEvidence(
        cases=60, error_share=0.0, rise=0.2, smallest_plausible_rise=smallest, largest_plausible_rise=largest
    )
    verdict = Verdict.FAIL if ground is Ground.RISE else Verdict.INCONCLUSIVE
    decision = GateDecision(verdict=verdict, grounds=(ground,), evidence=evidence)
    judged = SubjectGate(pair=PAIR, decision=decision, broken_cases=(), resample=None, requirement=COST)
    return "".join(map(str, requirement_reason(judged, COST)))


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ((0.15, 0.3), "even the smallest plausible rise is 15.0 %, above the margin of 10 %"),
        ((0.05, 0.3), "the largest plausible rise is 30.0 %, above the margin of 10 %"),
    ],
)
def test_the_bound_that_decides_is_named(bounds: tuple[float, float], said: str) -> None:
    ground = Ground.RISE if bounds[0] > 0.1 else Ground.TOO_FEW_SAMPLES

    assert said in reason(ground, *bounds)


def test_runs_of_different_lengths_are_told_what_to_generate() -> None:
    assert reason(Ground.UNEQUAL_SAMPLES).endswith("generate equally many in both runs")
