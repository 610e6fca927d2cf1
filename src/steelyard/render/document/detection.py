"""Say in words how often a gate sees a drop."""

from math import ceil, floor

from steelyard.model.verdict import DetectionChances
from steelyard.render.numbers import size_in_points

RULE_OF_THREE = 3  # what never happened in so many draws may still happen in three of as many


def chances_in_words(chances: DetectionChances) -> str:
    """Return what a gate sees of two kinds of damage, as the end of a sentence about it.

    >>> chances_in_words(DetectionChances(drop=0.05, spread=0.89, one_case=1))
    'a drop of 5 points over all cases in about 89 % of comparisons, and one broken case in 98 % or more'
    """
    spread, one_case = (_share(chance, chances.pairs) for chance in (chances.spread, chances.one_case))
    drop = f"a drop of {size_in_points(chances.drop)} over all cases in {spread} of comparisons"
    return f"{drop}, and one broken case in {one_case}"


def _share(chance: float, pairs: int) -> str:
    rare = RULE_OF_THREE / pairs
    if chance >= 1 - rare:
        return f"{floor(100 * (1 - rare))} % or more"
    return f"{ceil(100 * rare)} % or less" if chance <= rare else f"about {100 * chance:.0f} %"
