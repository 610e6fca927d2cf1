"""Hold the two runs that a gate judges: passes, scores where they say more, and samples that are missing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.metrics.cases import CaseCounts, CaseSums, Floats, Ints

Sums = tuple[CaseSums, CaseSums]
Missing = tuple[Sequence[int] | Ints, Sequence[int] | Ints]  # samples of each case, in either run


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedRuns:
    """Two runs of the same cases, row by row, the baseline first.

    The counts are of independent samples: answers that repeat count once. Where some do, `passes` are the
    sums that have the mean of all samples. `scores` are there where they say more than passes. `errors` are
    the samples of each case that ended in infrastructure errors, and `error_share` the larger of the two
    runs' shares of them. `unscored` are those that passed or failed and have no score, where there are
    scores. `lost` are the samples of further cases of which one run has nothing because of such errors,
    `lost_samples` those that errored. `clusters` has the number of each case's cluster, if not all are alone.
    """

    baseline: CaseCounts
    current: CaseCounts
    passes: Sums | None = None
    scores: Sums | None = None
    errors: tuple[Sequence[int], Sequence[int]] | None = None
    unscored: tuple[Sequence[int], Sequence[int]] | None = None
    lost: tuple[Sequence[int], Sequence[int]] = ((), ())
    lost_samples: int = 0
    error_share: float = 0.0
    clusters: Ints | None = None

    @property
    def exchanged(self) -> "PairedRuns":
        """The same two runs with the current one first, so that a test for a drop finds a rise."""
        passes, scores, errors, unscored = self.passes, self.scores, self.errors, self.unscored
        return PairedRuns(
            baseline=self.current,
            current=self.baseline,
            passes=None if passes is None else (passes[1], passes[0]),
            scores=None if scores is None else (scores[1], scores[0]),
            errors=None if errors is None else (errors[1], errors[0]),
            unscored=None if unscored is None else (unscored[1], unscored[0]),
            lost=(self.lost[1], self.lost[0]),
            lost_samples=self.lost_samples,
            error_share=self.error_share,
            clusters=self.clusters,
        )

    @property
    def pass_sums(self) -> Sums:
        """The sums of passes of both runs."""
        return self.passes or (self.baseline.sums, self.current.sums)

    @property
    def missing_samples(self) -> int:
        """How many samples of both runs are missing."""
        return self.lost_samples + (0 if self.errors is None else sum(self.errors[0]) + sum(self.errors[1]))

    @property
    def score_drop(self) -> float | None:
        """How far the mean score dropped."""
        if self.scores is None or not len(self.baseline):
            return None
        return float((self.scores[0].means - self.scores[1].means).mean())

    @property
    def passes_at_worst(self) -> Sums:
        """The passes, if what is missing had passed in the baseline and failed in the current run."""
        return self._at_worst(*self.pass_sums, self._or_none(self.errors))

    @property
    def scores_at_worst(self) -> Sums | None:
        """The scores, if what is missing had scored 1 in the baseline and 0 in the current run."""
        if self.scores is None:
            return None
        errors, unscored = self._or_none(self.errors), self._or_none(self.unscored)
        old, new = (np.add(*both) for both in zip(errors, unscored, strict=True))
        return self._at_worst(*self.scores, (old, new))

    @property
    def clusters_at_worst(self) -> Ints | None:
        """The clusters, with each case that was lost in one of its own."""
        if self.clusters is None:
            return None
        first = int(self.clusters.max(initial=-1)) + 1
        return np.concatenate([self.clusters, np.arange(first, first + len(self.lost[0]))])

    def _or_none(self, missing: Missing | None) -> Missing:
        return missing or ([0] * len(self.baseline), [0] * len(self.current))

    def _at_worst(self, before: CaseSums, after: CaseSums, missing: Missing) -> Sums:
        old, new = (np.asarray(run, dtype=np.int64) for run in missing)
        lost_before, lost_after = (np.asarray(run, dtype=np.int64) for run in self.lost)
        best = old.astype(np.float64)
        return (
            _with_rows(before.n + old, before.total + best, before.total_sq + best, lost_before, score=1.0),
            _with_rows(after.n + new, after.total, after.total_sq, lost_after, score=0.0),
        )


def _with_rows(n: Ints, total: Floats, total_sq: Floats, lost: Ints, *, score: float) -> CaseSums:
    """Add cases of which every sample is taken to have this score."""
    return CaseSums(
        n=np.concatenate([n, lost]),
        total=np.concatenate([total, lost * score]),
        total_sq=np.concatenate([total_sq, lost * score]),
    )
