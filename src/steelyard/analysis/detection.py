"""Say what a gate would have seen in two runs; gate and compare state the same."""

from steelyard.analysis.pairing import Pairing
from steelyard.metrics.decisions import shares_of_alpha
from steelyard.metrics.detection import paired_chances
from steelyard.model.verdict import DetectionChances

SIMULATED_FROM = 0.001  # of alpha; below, the draws of the test alone take minutes


def detection(
    pairing: Pairing, *, p_score: float | None, drop: float, alpha: float
) -> DetectionChances | None:
    """Return how often a gate at this level sees a drop; None where that would take too long to simulate."""
    of_passes, _ = shares_of_alpha(passes=True, p_score=p_score, alpha=alpha)
    if of_passes < SIMULATED_FROM:
        return None
    return paired_chances(*pairing.counts(), drop=drop, alpha=of_passes)
