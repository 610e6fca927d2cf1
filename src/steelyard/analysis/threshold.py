"""Apply the threshold rule to one case of two reports, exactly where the stored scores are."""

from fractions import Fraction

from steelyard.analysis.pairing import PairedCase
from steelyard.metrics.regression import ScoreShift, change_of_shares
from steelyard.metrics.ties import are_whole, rounding_of_change
from steelyard.model.report import CaseSummary
from steelyard.model.units import MICRO_POINTS


def shift_of(pair: PairedCase, limit: Fraction) -> ScoreShift:
    """Return how the score of a case changed, by the threshold rule; exact where the stored scores are."""
    rounding = rounding_of_change(*(_is_whole(case) for case in (pair.baseline, pair.current)))
    return change_of_shares(
        exact_score(pair.baseline), exact_score(pair.current), threshold=limit, rounding=rounding
    )


def _is_whole(case: CaseSummary) -> bool:
    return are_whole(score_sum=case.score_sum_micro, score_sq=case.score_sq_micro)


def exact_score(case: CaseSummary) -> tuple[int, int]:
    """Return the exact mean score over attempts, as a part and the whole it is of."""
    return case.score_sum_micro, case.score_n * MICRO_POINTS
