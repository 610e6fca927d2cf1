"""Say how far the judges of a run agree with each other, and each of them with itself.

From stored judgements. Ratings are taken to the nearest twentieth, so that the tables stay small.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np

from steelyard.metrics.agreement import (
    MeasurementScale,
    Prevalence,
    agreement_interval,
    cohen_kappa,
    coincidences,
    confusion,
    krippendorff_alpha,
    prevalence,
)
from steelyard.metrics.cases import Floats
from steelyard.model.estimate import Interval
from steelyard.model.judgement import Judgement, Ratings, Reading

STEPS = 20
GRID = tuple(range(STEPS + 1))
TWO = 2

_alpha = partial(krippendorff_alpha, scale=MeasurementScale.INTERVAL, values=[step / STEPS for step in GRID])


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictAgreement:
    """How far two judges agree on who passes: kappa, and the shares without which it misleads."""

    answers: int
    kappa: float | None
    interval: Interval
    shares: Prevalence


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """How far judges agree.

    `alpha` is about the ratings of single items by different judges, `repeat` by one judge in different
    readings. `unusable` of `replies` were no evidence. `verdicts` is there if exactly two judges were asked.
    """

    judges: tuple[str, ...]
    answers: int
    replies: int
    unusable: int
    alpha: float | None
    interval: Interval
    repeat: Mapping[str, float | None] = field(default_factory=dict)
    verdicts: VerdictAgreement | None = None


def judge_agreement(
    judgements: Mapping[str, Judgement], *, threshold: Fraction, level: float = 0.95
) -> JudgeAgreement:
    """Return how far the judges agree over answers, each named by an id.

    Krippendorff's alpha for numbers over the items' ratings, a judge's readings averaged; its interval by
    resampling answers, since ratings of one answer hang together. Verdicts: mean score of a judge's
    readings at or above the threshold. Range: alpha (-1, 1], kappa [-1, 1]; None where undefined.
    Source: Krippendorff 2011; Cohen 1960.

    >>> def said(judge, *ratings):
    ...     given = tuple(map(Fraction, ratings))
    ...     return Reading(judge=judge, number=0, ratings=given, score=sum(given) / len(given))
    >>> both = [said("a", 1, 0), said("b", 1, 0)], [said("a", 0, 0), said("b", 0, 1)]
    >>> judgements = {
    ...     str(place): Judgement(rubric="r", rubric_digest="d", readings=tuple(readings))
    ...     for place, readings in enumerate(both)
    ... }
    >>> found = judge_agreement(judgements, threshold=Fraction(1, 2))
    >>> round(found.alpha, 3), found.verdicts.kappa, found.verdicts.shares.agreement
    (0.533, 0.0, 0.5)
    """
    judges = tuple(sorted({reading.judge for each in judgements.values() for reading in each.usable}))
    by_judge = [_by_judge(each.usable, judges) for each in judgements.values()]
    tables = _stack([_coincidences([_mean(own) for own in readings]) for readings in by_judge])
    return JudgeAgreement(
        judges=judges,
        answers=len(judgements),
        replies=sum(len(each.readings) for each in judgements.values()),
        unusable=sum(len(each.unusable) for each in judgements.values()),
        alpha=_alpha(tables.sum(axis=0)),
        interval=agreement_interval(tables, _alpha, list(judgements), level=level),
        repeat={
            judge: _repeated([readings[index] for readings in by_judge]) for index, judge in enumerate(judges)
        },
        verdicts=_verdicts(by_judge, list(judgements), threshold, level) if len(judges) == TWO else None,
    )


def _by_judge(usable: Sequence[Reading], judges: Sequence[str]) -> list[list[Reading]]:
    return [[reading for reading in usable if reading.judge == judge] for judge in judges]


def _mean(readings: Sequence[Reading]) -> Ratings:
    """Return a judge's mean rating of each item over its readings; nothing if there are none."""
    given = [
        [entry for entry in item if entry is not None]
        for item in zip(*(r.ratings for r in readings), strict=True)
    ]
    return tuple(sum(item, Fraction(0)) / len(item) if item else None for item in given)


def _coincidences(raters: Sequence[Ratings]) -> Floats:
    """Return how often ratings meet over the items of one answer."""
    units = zip(*(map(_step, ratings) for ratings in raters if ratings), strict=True)
    summed: Floats = coincidences(list(units), GRID).sum(axis=0)
    return summed


def _stack(tables: Sequence[Floats]) -> Floats:
    return np.array(tables, dtype=np.float64).reshape(len(tables), len(GRID), len(GRID))


def _step(rating: Fraction | None) -> int | None:
    return None if rating is None else round(rating * STEPS)


def _repeated(answers: Sequence[Sequence[Reading]]) -> float | None:
    tables = [_coincidences([reading.ratings for reading in readings]) for readings in answers]
    return _alpha(_stack(tables).sum(axis=0))


def _verdicts(
    by_judge: Sequence[Sequence[Sequence[Reading]]], ids: Sequence[str], threshold: Fraction, level: float
) -> VerdictAgreement | None:
    """Return how far two judges agree on who passes, over the answers that both of them scored."""
    pairs = [[_passes(own, threshold) for own in readings] for readings in by_judge]
    both = [(name, first, second) for name, (first, second) in zip(ids, pairs, strict=True)]
    return verdict_agreement(
        [(name, a, b) for name, a, b in both if a is not None and b is not None], level=level
    )


def verdict_agreement(
    verdicts: Sequence[tuple[str, bool, bool]], *, level: float = 0.95
) -> VerdictAgreement | None:
    """Return how far two raters agree on who passes, over answers named by an id; None without answers.

    Cohen's kappa of the confusion matrix; its interval by resampling answers.
    Range: kappa [-1, 1]; None where both say the same of all answers. Source: Cohen 1960.

    >>> found = verdict_agreement([("1", True, True), ("2", True, False), ("3", False, False)])
    >>> found.answers, round(found.kappa, 3), round(found.shares.agreement, 3)
    (3, 0.4, 0.667)
    """
    if not verdicts:
        return None
    names, first, second = zip(*verdicts, strict=True)
    tables = confusion(first, second, [False, True])
    whole = tables.sum(axis=0)
    return VerdictAgreement(
        answers=len(verdicts),
        kappa=cohen_kappa(whole),
        interval=agreement_interval(tables, cohen_kappa, names, level=level),
        shares=prevalence(whole),
    )


def _passes(readings: Sequence[Reading], threshold: Fraction) -> bool | None:
    scores = [reading.score for reading in readings if reading.score is not None]
    return sum(scores, Fraction(0)) >= threshold * len(scores) if scores else None
