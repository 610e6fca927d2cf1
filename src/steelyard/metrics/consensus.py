"""Make one score of what judges said: ratings times weights, several readings into one, when to ask again.

Exact arithmetic throughout. What a judge itself adds up to is never part of it.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from steelyard.metrics.exact import weighted_mean
from steelyard.model.judgement import Ratings
from steelyard.model.rubric import ConsensusPlan, Rubric

HALF = Fraction(1, 2)


class Disagreement(StrEnum):
    """What is wrong with a set of readings; all but the last is a reason to ask for another one."""

    VARIANCE = "variance"  # the scores scatter
    RANGE = "range"  # the highest and the lowest score are far apart
    CONFIDENCE = "confidence"  # the judges are not sure
    APPLICABILITY = "applicability"  # to some nothing applies, to others something does
    MISSING_JUDGE = "missing_judge"  # no reading of one judge can be used, in all its tries


def category_scores(ratings: Ratings, rubric: Rubric) -> tuple[Fraction | None, ...]:
    """Return what each category comes to: the weighted mean of those of its items that apply.

    sum(rating * weight) / sum(weight) over the items with a rating; None without one, or if the items with
    a rating weigh nothing. Range: [0, 1]. Source: judge protocol of ProjectScylla (seed 002).

    >>> from steelyard.model.rubric import Category, Item
    >>> items = (Item(id="a", description="", weight=Fraction(3)), Item(id="b", description=""))
    >>> rubric = Rubric(id="r", categories=(Category(id="c", items=items), Category(id="d", items=items)))
    >>> category_scores((Fraction(1), Fraction(0), None, None), rubric)
    (Fraction(3, 4), None)
    """
    return tuple(
        _mean(ratings[places], [item.weight for item in category.items])
        for category, places in rubric.parts()
    )


def rubric_score(ratings: Ratings, rubric: Rubric) -> Fraction | None:
    """Return the weighted score: the weighted mean of the categories in which something applies.

    sum(score * weight) / sum(weight) over the categories with a score, so that one without drops out and
    its weight is shared by the others; None if nothing applies. Range: [0, 1].
    Source: judge protocol of ProjectScylla (seed 002), weighted_score.

    >>> from steelyard.model.rubric import Category, Item
    >>> one = (Item(id="a", description=""),)
    >>> works = Category(id="works", weight=Fraction(2), items=one)
    >>> rubric = Rubric(id="r", categories=(works, Category(id="clear", items=one)))
    >>> rubric_score((Fraction(1), Fraction(1, 4)), rubric), rubric_score((Fraction(1), None), rubric)
    (Fraction(3, 4), Fraction(1, 1))
    """
    return _mean(category_scores(ratings, rubric), [category.weight for category in rubric.categories])


def consensus_ratings(readings: Sequence[Ratings], confidences: Sequence[Fraction]) -> Ratings:
    """Return one rating for each item: the mean of the readings, weighted by their confidence.

    sum(rating * confidence) / sum(confidence) over the readings that rate the item. An item does not apply
    if readings with more than half of the confidence say so. If no reading has any confidence, all count
    alike. Range: [0, 1]. Source: judge protocol of ProjectScylla (seed 002), weighted consensus.

    >>> consensus_ratings([(Fraction(1), None), (Fraction(0), Fraction(1))], [Fraction(3, 4), Fraction(1, 4)])
    (Fraction(3, 4), None)
    """
    weights = list(confidences) if any(confidences) else [Fraction(1)] * len(confidences)
    return tuple(_agreed(given, weights) for given in zip(*readings, strict=True))


def disagreements(
    scores: Sequence[Fraction | None], confidences: Sequence[Fraction], plan: ConsensusPlan
) -> tuple[Disagreement, ...]:
    """Return why these readings are not enough; nothing if they are.

    Population variance of the scores above `max_variance`, highest minus lowest above `max_range`, mean
    confidence below `min_confidence`; at a limit is still agreement. Some scores of None beside others
    that are not is disagreement too. Source: judge protocol of ProjectScylla (seed 002), retries.

    >>> far = disagreements([Fraction(1, 2), Fraction(9, 10)], [Fraction(1)] * 2, ConsensusPlan())
    >>> [str(kind) for kind in far]
    ['range']
    """
    fractions = [score for score in scores if score is not None]
    result = {
        Disagreement.VARIANCE: bool(fractions) and _variance(fractions) > plan.max_variance,
        Disagreement.RANGE: bool(fractions) and max(fractions) - min(fractions) > plan.max_range,
        Disagreement.CONFIDENCE: bool(confidences)
        and sum(confidences) < plan.min_confidence * len(confidences),
        Disagreement.APPLICABILITY: 0 < len(fractions) < len(scores),
    }
    return tuple(kind for kind, is_so in result.items() if is_so)


def _mean(values: Sequence[Fraction | None], weights: Sequence[Fraction]) -> Fraction | None:
    there = {
        str(index): value for index, value in enumerate(values) if value is not None and weights[index] > 0
    }
    if not there:
        return None
    return weighted_mean(there, {index: weights[int(index)] for index in there})


def _agreed(fractions: Sequence[Fraction | None], weights: Sequence[Fraction]) -> Fraction | None:
    """Return the rating of one item that readings of these weights agree on."""
    total = sum(weights)
    against = sum(weight for rating, weight in zip(fractions, weights, strict=True) if rating is None)
    if against > total * HALF:
        return None
    rated = [
        (rating, weight) for rating, weight in zip(fractions, weights, strict=True) if rating is not None
    ]
    return sum((rating * weight for rating, weight in rated), Fraction(0)) / (total - against)


def _variance(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)
