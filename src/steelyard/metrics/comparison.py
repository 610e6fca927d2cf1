"""Compare two paired runs: whether they dropped, by how much, and in which cases.

Pure arithmetic on counts and sums, row by row the same case; deciding is left to `metrics/gates.py`.
"""

from dataclasses import dataclass

import numpy as np

from steelyard.metrics.cases import CaseSums, Ints, check_paired
from steelyard.metrics.cmh import DropTest, odds_ratio
from steelyard.metrics.differences import Difference, new_case_difference, rerun_difference
from steelyard.metrics.drop_test import overall_drop_test
from steelyard.metrics.multiplicity import fisher_tests, standing_out
from steelyard.metrics.paired_runs import PairedRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """What two paired runs say about each other.

    `case_p` has the one-sided p-value of a drop for each case, and `standing_out` the cases (positions) whose
    drop noise does not explain; `case_rise_p` and `rising_out` are the same of rises, by the same tests with
    the runs exchanged. `worse` and `better` count the cases whose pass rate fell or rose.
    """

    drop: DropTest
    rise: DropTest
    odds_ratio: float | None
    new_cases: Difference
    rerun: Difference
    worse: int
    better: int
    case_p: tuple[float, ...]
    standing_out: frozenset[int]
    case_rise_p: tuple[float, ...]
    rising_out: frozenset[int]


def compare_runs(runs: PairedRuns, *, level: float = 0.95) -> RunComparison:
    """Compare two runs of the same cases, each with at least one sample of every case.

    The Cochran-Mantel-Haenszel test over all cases; the difference of the mean pass rates with both
    intervals; Fisher's test for each case, Benjamini-Hochberg over those that could show anything, or Tarone.
    Range: at least one case. Source: `cmh_test`, `new_case_difference`, `benjamini_hochberg`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> before, after = CaseCounts.of(n=10, c=[10, 9, 8]), CaseCounts.of(n=10, c=[0, 9, 8])
    >>> found = compare_runs(PairedRuns(baseline=before, current=after))
    >>> found.standing_out, found.worse, round(found.rerun.value, 3)
    (frozenset({0}), 1, -0.333)
    """
    baseline, current, (before, after) = runs.baseline, runs.current, runs.pass_sums
    check_paired(baseline, current)
    tests, rises = fisher_tests(baseline, current), fisher_tests(current, baseline)
    fell = np.round(after.means - before.means, 9)
    return RunComparison(
        drop=overall_drop_test(runs),
        rise=overall_drop_test(runs.exchanged),
        odds_ratio=odds_ratio(baseline, current),
        new_cases=new_case_difference(before, after, level=level, clusters=runs.clusters),
        rerun=rerun_difference(before, after, level=level, clusters=runs.clusters),
        worse=int((fell < 0).sum()),
        better=int((fell > 0).sum()),
        case_p=tuple(tests.p.tolist()),
        standing_out=frozenset(standing_out(tests)),
        case_rise_p=tuple(rises.p.tolist()),
        rising_out=frozenset(standing_out(rises)),
    )


def score_differences(
    baseline: CaseSums, current: CaseSums, *, level: float = 0.95, clusters: Ints | None = None
) -> tuple[Difference, Difference]:
    """Return the change of the mean score, for new cases and for resampling these cases.

    Range: differences in [-1, 1]. Source: `new_case_difference`, `rerun_difference`.

    >>> runs = [CaseSums.of(n=[2, 2], total=total, total_sq=total) for total in ([2.0, 1.0], [1.0, 1.0])]
    >>> score_differences(*runs)[0].value
    -0.25
    """
    return (
        new_case_difference(baseline, current, level=level, clusters=clusters),
        rerun_difference(baseline, current, level=level, clusters=clusters),
    )
