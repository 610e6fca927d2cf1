"""Samples that repeat each other within a run must not look like a change."""

import numpy as np
import pytest

from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.dependence import are_dependent, rises_as_well
from steelyard.metrics.gates import decide_once, one_shot_gate
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import Ground, Verdict

FLIPPED = (
    CaseCounts.of(n=5, c=[5] * 80 + [5] * 10 + [0] * 10),
    CaseCounts.of(n=5, c=[5] * 80 + [0] * 10 + [5] * 10),
)


def test_flips_in_both_directions_are_dependent_samples_and_breaks_are_not() -> None:
    broken = CaseCounts.of(n=5, c=[5] * 97 + [0] * 3)

    assert rises_as_well(*FLIPPED)
    assert are_dependent(*FLIPPED)
    assert not are_dependent(CaseCounts.of(n=5, c=[5] * 100), broken)
    assert one_shot_gate(CaseCounts.of(n=5, c=[5] * 100), broken).verdict is Verdict.FAIL


def test_no_form_of_the_gate_fails_flips_in_both_directions() -> None:
    runs = PairedRuns(baseline=FLIPPED[0], current=FLIPPED[1])

    once = decide_once(runs)
    plan = confirm_plan(runs)

    assert once.grounds == plan.unless_confirmed.grounds == (Ground.DEPENDENT_SAMPLES,)
    assert not plan.cases
    assert once.evidence.more_samples is None


def test_fresh_samples_that_flip_in_both_directions_confirm_nothing() -> None:
    before = CaseCounts.of(n=1, c=[1] * 50)
    plan = confirm_plan(PairedRuns(baseline=before, current=CaseCounts.of(n=1, c=[0] * 4 + [1] * 46)))
    old, new = CaseCounts.of(n=10, c=[10, 10, 0, 0]), CaseCounts.of(n=10, c=[0, 0, 10, 10])

    decision = confirm_decision(plan, old, new)

    assert decision.grounds == (Ground.DEPENDENT_SAMPLES,)


def test_repeated_answers_keep_the_mean_of_all_samples_and_widen_the_bound() -> None:
    """Five answers of a case that are one answer are one sample."""
    once = CaseCounts.of(n=1, c=[1] * 100)
    alike = CaseSums.of(n=[1] * 100, total=[1.0] * 100, total_sq=[1.0] * 100)

    five = decide_once(
        PairedRuns(baseline=CaseCounts.of(n=5, c=[5] * 100), current=CaseCounts.of(n=5, c=[5] * 100))
    )
    one = decide_once(PairedRuns(baseline=once, current=once, passes=(alike, alike)))

    assert one.evidence.drop == five.evidence.drop == 0
    assert one.evidence.largest_plausible_drop is not None
    assert five.evidence.largest_plausible_drop == pytest.approx(one.evidence.largest_plausible_drop / 5)


def test_exchanged_runs_exchange_the_sums_of_passes() -> None:
    old, new = (CaseSums.of(n=[1], total=[t], total_sq=[t]) for t in (1.0, 0.0))
    counts = CaseCounts.of(n=1, c=[1])

    runs = PairedRuns(baseline=counts, current=counts, passes=(old, new)).exchanged

    assert runs.passes == (new, old)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_where_nothing_changed_and_samples_repeat_the_gate_seldom_fails(share: float) -> None:
    random = np.random.default_rng(7)
    failed = 0
    for _ in range(60):
        p = random.beta(8, 1.2, 100)
        runs = [
            random.binomial(5, np.where(random.random(100) < share, random.binomial(1, p), p))
            for _ in range(2)
        ]
        counts = [CaseCounts.of(n=5, c=run) for run in runs]
        failed += one_shot_gate(counts[0], counts[1]).verdict is Verdict.FAIL

    assert failed <= 6  # 100 of 100 before
