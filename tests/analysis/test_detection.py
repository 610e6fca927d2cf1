"""What a gate would have seen in two runs, at the level that is left for the passes."""

import pytest

from steelyard.analysis.detection import detection
from steelyard.analysis.pairing import pair_reports
from steelyard.metrics.detection import paired_chances
from tests.analysis.runs import run

[PAIRING] = pair_reports(run([(3, 3)] * 2 + [(3, 2)] * 2), run([(3, 2)] * 4)).pairs


@pytest.mark.check_all
@pytest.mark.parametrize(("p_score", "of_passes"), [(None, 0.05), (0.4, 0.025)])
def test_a_test_of_scores_beside_the_passes_leaves_them_half_of_alpha(
    p_score: float | None, of_passes: float
) -> None:
    found = detection(PAIRING, p_score=p_score, drop=0.2, alpha=0.05)

    assert found == paired_chances(*PAIRING.counts(), drop=0.2, alpha=of_passes)


@pytest.mark.parametrize(
    ("p_score", "alpha", "is_simulated"),
    [(None, 0.001, True), (None, 0.00099, False), (0.4, 0.002, True), (0.4, 0.00198, False)],
)
def test_below_a_thousandth_for_the_passes_nothing_is_simulated(
    p_score: float | None, alpha: float, *, is_simulated: bool
) -> None:
    found = detection(PAIRING, p_score=p_score, drop=0.2, alpha=alpha)

    assert (found is not None) == is_simulated
