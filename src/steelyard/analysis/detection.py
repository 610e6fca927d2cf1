"""Say what a gate would have seen in two runs; gate and compare state the same."""

from steelyard.analysis.pairing import Pairing
from steelyard.metrics.detection import paired_chances
from steelyard.metrics.judging import score_p, shares_of_alpha
from steelyard.model.verdict import DetectionChances

LEAST_ALPHA = 0.001  # below, the draws of the test alone take minutes


def detection(pairing: Pairing, *, drop: float, alpha: float) -> DetectionChances | None:
    """Return how often a gate at this level sees a drop; None where that would take too long to simulate."""
    of_passes, _ = shares_of_alpha(passes=True, p_score=score_p(pairing.runs()), alpha=alpha)
    if of_passes < LEAST_ALPHA:
        return None
    return paired_chances(*pairing.counts(), drop=drop, alpha=of_passes)
