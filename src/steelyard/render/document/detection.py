"""Say in words how often a gate sees a drop."""

from steelyard.model.verdict import DetectionChances
from steelyard.render.numbers import size_in_points

SURE = 0.995  # what is simulated is never said to be certain


def chances_in_words(chances: DetectionChances) -> str:
    """Return what a gate sees of two kinds of damage, as the end of a sentence about it.

    >>> chances_in_words(DetectionChances(drop=0.05, spread=0.89, one_case=1))
    'a drop of 5 points over all cases in about 89 % of comparisons, and one broken case in 99 % or more'
    """
    spread = (
        f"a drop of {size_in_points(chances.drop)} over all cases in {_share(chances.spread)} of comparisons"
    )
    return f"{spread}, and one broken case in {_share(chances.one_case)}"


def _share(chance: float) -> str:
    if chance >= SURE:
        return "99 % or more"
    return "1 % or less" if chance <= 1 - SURE else f"about {100 * chance:.0f} %"
