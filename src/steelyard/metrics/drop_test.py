"""Test whether two paired runs dropped, be it a little everywhere or altogether in one case.

Three statistics look for three kinds of damage; the best rank of the three is what counts, and draws from
the law without a change say how good a rank it is. So the test keeps its level exactly, whatever the counts.
"""

from dataclasses import dataclass, replace
from math import sqrt
from zlib import crc32

import numpy as np

from steelyard.metrics.cases import CaseCounts, Distinct, Floats, Ints, check_paired, distinct
from steelyard.metrics.clusters import cluster_drop_p
from steelyard.metrics.cmh import DropTest, PMethod, cmh_test, hypergeometric
from steelyard.metrics.multiplicity import TIE, fisher_tests, tarone
from steelyard.metrics.paired_runs import PairedRuns

BROKEN_ODDS = 0.003  # odds of passing in a case that broke, against those before
SEED = 20261115  # the same counts get the same draws, on every machine
FEWEST_DRAWS, MOST_DRAWS = 999, 100_000
DRAWS_IN_TAIL = 200  # beyond the level that is tested at, so that the p-value hardly depends on the draws
CELLS_AT_ONCE = 2_000_000
CELLS_IN_ALL = 60_000_000
DRAWS_IN_ROUND = 20  # beyond its level, as DRAWS_IN_TAIL: there are several rounds
MOST_ROUNDS = 10  # in each of which every cluster has one case
ROUNDING = 1e-9  # equal statistics must tie, however they were added up


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTest:
    """The p-value of the test, those of its parts, and the cases (positions) that carry the evidence.

    `overall` is exact, for a drop spread over the cases; `criticism` is for several cases that dropped, and
    `sparse` for one or two that broke. `carriers` are the cases that `sparse` is made of.
    """

    p: float
    overall: float
    method: str
    criticism: float
    sparse: float
    carriers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cells:
    """What each distinct pair of margins and number of passes says, by ascending mid-p-value.

    `groups` are the laws of cases with the same margins, with how many of them there are and their cells.
    """

    groups: tuple[tuple[int, Floats, Ints], ...]
    passes: Floats
    middle: Floats
    sparse: Floats
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """The cells of the cases that are `able` to differ, and the one in which each of them was observed."""

    cells: _Cells
    observed: Ints
    able: Ints
    seed: list[int]


def joint_drop_test(baseline: CaseCounts, current: CaseCounts, *, alpha: float = 0.05) -> JointTest:
    """Test "no case changed" against a drop of few or many cases, exactly at any level.

    Given every case's passes in both runs, the current passes are hypergeometric. Three statistics: the sum
    of current passes (Cochran-Mantel-Haenszel); higher criticism over the lower half of the mid-p-values,
    max of sqrt(m) (i/m - p_i) / sqrt(p_i (1 - p_i)); and the sum of log(1 + (LR_i - 1) / M), LR_i the
    likelihood ratio of a case at odds of 0.003; m of M cases could differ. p is the rank of the smallest
    of their three ranks among draws without a change. `alpha` decides how many are drawn. Range: (0, 1].
    Source: Mantel and Haenszel 1959, Donoho and Jin 2004, Ingster 1997; Barnard 1963 for the draws.

    >>> before = CaseCounts.of(n=5, c=[5] * 90 + [3] * 10)
    >>> found = joint_drop_test(before, CaseCounts.of(n=5, c=[5] * 89 + [0] + [3] * 10))
    >>> found.p < 0.02 < found.overall, found.carriers
    (True, (89,))
    """
    check_paired(baseline, current)
    overall = cmh_test(baseline, current)
    table = _table(baseline, current)
    if table is None:
        p = overall.p  # the three statistics grow together, so that nothing has to be drawn
        return JointTest(p=p, overall=p, method=overall.method, criticism=p, sparse=p, carriers=())
    draws = _draws(alpha, len(table.cells.passes))
    ranks = _ranks(table, draws=draws)
    return JointTest(
        # Where the table is too large for as many draws as would show a chance as small as alpha, the test of
        # all cases together, which is exact, stands in; how large it is depends on the margins alone.
        p=overall.p if (draws + 1) * alpha < 1 else _best_rank(ranks),
        overall=overall.p,
        method=overall.method,
        criticism=float(ranks[1, 0]),
        sparse=float(ranks[2, 0]),
        carriers=_carriers(table.cells.sparse[table.observed], table.able),
    )


def drop_test(runs: PairedRuns, *, alpha: float) -> JointTest:
    """Test "no case changed" by `joint_drop_test`, or by clusters where cases share them.

    With clusters, half of alpha each: `overall_drop_test`, and `joint_drop_test` over one case of every
    cluster, then over the next one of each, with Bonferroni's correction (`MOST_ROUNDS` or fewer; in larger
    clusters, Fisher's test of each case with Tarone's). p is twice the smaller one. Range: (0, 1]. Source:
    `joint_drop_test`, `cluster_drop_p`, `tarone`; Bonferroni's inequality.

    >>> all_pass = CaseCounts.of(n=5, c=[5] * 8)
    >>> broken = CaseCounts.of(n=5, c=[0] + [5] * 7)
    >>> pairs = np.repeat(np.arange(4), 2)
    >>> runs = PairedRuns(baseline=all_pass, current=broken, clusters=pairs)
    >>> drop_test(runs, alpha=0.05).p < 0.05
    True
    """
    if runs.clusters is None:
        return joint_drop_test(runs.baseline, runs.current, alpha=alpha)
    overall = overall_drop_test(runs)
    single = _drop_of_single_cases(runs.baseline, runs.current, runs.clusters, alpha=alpha / 2)
    return JointTest(
        p=min(1.0, 2 * overall.p, 2 * single),
        overall=overall.p,
        method=overall.method,
        criticism=1.0,
        sparse=single,
        carriers=(),
    )


def _drop_of_single_cases(
    baseline: CaseCounts, current: CaseCounts, clusters: Ints, *, alpha: float
) -> float:
    """Return the p-value that no case dropped, however the cases of a cluster depend on each other."""
    sizes = np.bincount(clusters)
    if sizes.max() > MOST_ROUNDS:
        tests = fisher_tests(baseline, current)
        threshold = tarone(tests, alpha=alpha).threshold
        smallest = float(tests.p[tests.smallest <= threshold * TIE].min(initial=1.0))
        return min(1.0, smallest * alpha / threshold)
    ordered = np.argsort(clusters, kind="stable")
    places = np.arange(len(clusters)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rounds = [ordered[places == place] for place in range(sizes.max())]
    draws = max(FEWEST_DRAWS, min(MOST_DRAWS, int(len(rounds) * DRAWS_IN_ROUND / alpha)))
    p = (joint_drop_p(baseline.take(rows), current.take(rows), draws=draws) for rows in rounds)
    return min(1.0, len(rounds) * min(p))


def overall_drop_test(runs: PairedRuns) -> DropTest:
    """Test all cases together for a drop: by `cmh_test`, or by clusters where cases share them.

    Range: (0, 1]. Source: `cmh_test`, `cluster_drop_p`.

    >>> before, after = CaseCounts.of(n=1, c=[1] * 12), CaseCounts.of(n=1, c=[0] * 12)
    >>> runs = PairedRuns(baseline=before, current=after, clusters=np.repeat(np.arange(6), 2))
    >>> overall_drop_test(runs).method.value, overall_drop_test(runs).p < 0.03
    ('clusters', True)
    """
    test = cmh_test(runs.baseline, runs.current)
    if runs.clusters is None:
        return test
    p = cluster_drop_p(*runs.pass_sums, runs.clusters)
    method = PMethod.NO_EVIDENCE if p is None else PMethod.CLUSTERS
    return replace(test, p=1.0 if p is None else p, method=method)


def joint_drop_p(baseline: CaseCounts, current: CaseCounts, *, draws: int) -> float:
    """Return the p-value of `joint_drop_test` alone, by so many draws; for many tests in a row.

    Range: (0, 1]; exact at any number of draws. Source: as `joint_drop_test`.

    >>> joint_drop_p(CaseCounts.of(n=5, c=[5, 3]), CaseCounts.of(n=5, c=[5, 3]), draws=99) > 0.05
    True
    """
    table = _table(baseline, current)
    return cmh_test(baseline, current).p if table is None else _best_rank(_ranks(table, draws=draws))


def _table(baseline: CaseCounts, current: CaseCounts) -> _Table | None:
    """Lay out the cases that could differ; None where there is none, or where they are all one coin."""
    passed, samples = baseline.c + current.c, baseline.n + current.n
    able = np.flatnonzero((passed > 0) & (passed < samples))
    rows = distinct(baseline.n[able], current.n[able], passed[able])
    if len(able) == 0 or _is_one_coin(rows.values):
        return None
    cells = _cells(rows, cases=len(baseline))
    observed = _cell_of(cells, rows.where, (current.c - np.maximum(0, passed - baseline.n))[able])
    return _Table(cells=cells, observed=observed, able=able, seed=_seed(rows))


def _best_rank(ranks: Floats) -> float:
    best = ranks.min(axis=0)
    return float((best <= best[0] + ROUNDING).mean())


def _is_one_coin(margins: Ints) -> bool:
    """Whether all cases that could differ have the same margins and two ways to end, as at one sample."""
    n0, n1, passed = margins[0].tolist()
    return len(margins) == 1 and len(hypergeometric(n0=n0, n1=n1, passed=passed)) == 2  # noqa: PLR2004


def _cells(rows: Distinct, *, cases: int) -> _Cells:
    """Lay out what can happen to a case, for every pair of margins; `cases` are all there are."""
    laws = [hypergeometric(n0=n0, n1=n1, passed=s) for n0, n1, s in rows.values.tolist()]
    passes = np.concatenate([np.arange(len(law), dtype=np.float64) for law in laws])
    middle = np.concatenate([np.cumsum(law) - law / 2 for law in laws])
    sparse = np.concatenate([_sparse(law, cases) for law in laws])
    order = np.argsort(middle, kind="stable")
    empty = np.empty(len(order), dtype=np.int64)
    empty[order] = np.arange(len(order))
    ends = np.cumsum([len(law) for law in laws])
    groups = tuple(
        (int(count), law, empty[end - len(law) : end])
        for count, law, end in zip(rows.times, laws, ends, strict=True)
    )
    return _Cells(
        groups=groups,
        passes=passes[order],
        middle=middle[order],
        sparse=sparse[order],
        cases=int(rows.times.sum()),
    )


def _sparse(law: Floats, cases: int) -> Floats:
    weights = BROKEN_ODDS ** np.arange(len(law))
    ratio = weights / float(law @ weights)
    # For a single case the logarithm of the ratio itself: taking 1 from it first would lose it.
    logs = np.log(ratio) if cases == 1 else np.log1p((ratio - 1) / cases)
    return np.asarray(logs, dtype=np.float64)


def _cell_of(cells: _Cells, where: Ints, above_fewest: Ints) -> Ints:
    """Return the cell of each case, by its margins and its current passes."""
    starts = np.cumsum([0, *(len(places) for _, _, places in cells.groups)])[:-1]
    return np.asarray(
        np.concatenate([places for _, _, places in cells.groups])[starts[where] + above_fewest],
        dtype=np.int64,
    )


def _draws(alpha: float, cells: int) -> int:
    requested = min(MOST_DRAWS, int(DRAWS_IN_TAIL / alpha))
    return max(FEWEST_DRAWS, min(requested, CELLS_IN_ALL // cells) - 1)


def _seed(rows: Distinct) -> list[int]:
    """Return a seed by the margins alone: draws that are a little unlucky for some are not so for all."""
    table = np.column_stack([rows.values, rows.times]).astype("<i8")
    return [SEED, crc32(table.tobytes())]


def _ranks(table: _Table, *, draws: int) -> Floats:
    """Return the rank of each statistic (rows), of the observed counts (first) and of every draw."""
    cells = table.cells
    observed = np.bincount(table.observed, minlength=len(cells.passes))
    rng = np.random.default_rng(table.seed)
    at_once = max(1, CELLS_AT_ONCE // len(observed))
    result = [_statistics(cells, observed[None, :])]
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        counts = np.zeros((size, len(observed)), dtype=np.int64)
        for times, law, places in cells.groups:
            counts[:, places] = rng.multinomial(times, law, size=size)
        result.append(_statistics(cells, counts))
    return np.stack([_rank(statistic) for statistic in np.concatenate(result, axis=1)])


def _statistics(cells: _Cells, counts: Ints) -> Floats:
    """Return the three statistics of every row of counts, larger for more evidence of a drop."""
    lower_half = max(1, cells.cases // 2)
    share = np.minimum(np.cumsum(counts, axis=1), lower_half) / cells.cases
    spread = np.sqrt(np.maximum(cells.middle * (1 - cells.middle), ROUNDING))
    criticism = np.where(counts > 0, sqrt(cells.cases) * (share - cells.middle) / spread, -np.inf)
    return np.stack([-(counts @ cells.passes), criticism.max(axis=1), counts @ cells.sparse])


def _rank(statistic: Floats) -> Floats:
    """Return which share of all is at least as large, of every one."""
    below = np.searchsorted(np.sort(statistic), statistic - ROUNDING, side="left")
    return np.asarray((len(statistic) - below) / len(statistic), dtype=np.float64)


def _carriers(evidence: Floats, able: Ints) -> tuple[int, ...]:
    """Return the cases with at least half as much evidence as the one that has most."""
    most = float(evidence.max())
    return tuple(able[evidence >= most / 2].tolist()) if most > 0 else ()
