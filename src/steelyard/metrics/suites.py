"""Score suites of cases, and a whole run of suites.

A suite without cases has no score and takes no part in the overall one; it is never a 0.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact_share, exact_weights, weighted_mean
from steelyard.model.units import Number


def suite_score(accuracies: Iterable[Number]) -> Fraction | None:
    """Return the mean accuracy of a suite's cases, or None for an empty suite.

    sum(accuracy) / cases; range [0, 1].
    Source: FailProof scoring criteria page (seed 004), suite score.

    >>> suite_score([1] * 7 + [0] * 3)
    Fraction(7, 10)
    """
    fractions = [exact_share(accuracy, "accuracy") for accuracy in accuracies]
    return sum(fractions, Fraction(0)) / len(fractions) if fractions else None


def overall_score(
    suite_scores: Mapping[str, Number | None], weights: Mapping[str, Number] | None = None
) -> Fraction | None:
    """Return the mean of the suite scores, or None when no suite has one.

    sum(weight * suite score) / sum(weight) over the suites that have a score; range [0, 1].
    Every weight is 1 unless `weights` says otherwise; a weight for an unknown suite is refused,
    and so are weights that sum to 0.
    Source: FailProof scoring criteria page (seed 004), overall run score and weighted suites.

    >>> overall_score({"injection": "0.90", "contradictions": "0.80"})
    Fraction(17, 20)
    >>> overall_score({"injection": "0.90", "contradictions": "0.80"}, weights={"injection": 3})
    Fraction(7, 8)
    """
    given = {} if weights is None else weights
    unknown = sorted(given.keys() - suite_scores.keys())
    if unknown:
        raise DomainError(f"weights name suites that do not exist: {', '.join(unknown)}")
    if not suite_scores:
        return None
    used = exact_weights({name: given.get(name, 1) for name in suite_scores})
    scores = {
        name: exact_share(score, f"the score of {name}")
        for name, score in suite_scores.items()
        if score is not None
    }
    return weighted_mean(scores, used) if any(used[name] for name in scores) else None


def pooled_score(suites: Iterable[Iterable[Number]]) -> Fraction | None:
    """Return the mean accuracy of all cases, whatever their suite, or None when there are none.

    sum(accuracy over all suites) / cases of all suites; range [0, 1].
    Not the overall score: large suites count for more. It is shown beside that one.
    Source: FailProof scoring criteria page (seed 004), the suite score taken over the whole run.

    >>> pooled_score([[1] * 18 + [0] * 2, [1] * 8 + [0] * 2])
    Fraction(13, 15)
    """
    return suite_score(chain.from_iterable(suites))
