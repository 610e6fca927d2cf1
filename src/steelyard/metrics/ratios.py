"""Put an interval around a ratio of means over the same cases: cost of pass, relative uplift.

Cases are the clusters, so several samples of a case need no special care. A ratio whose denominator may
well be 0 has no upper bound, and says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, expm1, fsum, log1p, sqrt
from typing import NamedTuple

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats
from steelyard.metrics.quantiles import t_quantile, two_sided
from steelyard.model.estimate import Interval, Target
from steelyard.model.summary import FEWEST_PASSES

LOG_DELTA = "log-delta over cases"
LOG_DELTA_PSEUDO = "log-delta with pseudo-cases"
FIELLER = "Fieller over cases"
ZERO_PASSES = "exact bound for no pass"

FEWEST_CASES = 2  # one case shows no spread
# What was not seen counts a little: cases that happen to agree look as if none could differ. The weights are
# the least with which all simulated settings hold.
ODD_CASE = 1 / 16  # a case that always passes, or in which only one of two subjects passes
DEAR_CASE = 1.0  # a case of mean cost without a pass


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioSums:
    """Cases, and over them the sums of x, y, x², y² and x * y; two of these add up."""

    count: int
    x: float
    y: float
    xx: float
    yy: float
    xy: float

    @classmethod
    def of(cls, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> "RatioSums":
        """Sum up one value of x and one of y for each case; neither may be negative."""
        if len(x) != len(y):
            raise DomainError(f"one row per case, got {len(x)} and {len(y)} rows")
        asarray, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if np.any(asarray < 0) or np.any(other < 0):
            raise DomainError("the parts of a ratio are not negative")
        return cls(
            count=len(asarray),
            x=fsum(asarray.tolist()),
            y=fsum(other.tolist()),
            xx=fsum((asarray * asarray).tolist()),
            yy=fsum((other * other).tolist()),
            xy=fsum((asarray * other).tolist()),
        )

    def __add__(self, other: "RatioSums") -> "RatioSums":
        return RatioSums(
            count=self.count + other.count,
            x=self.x + other.x,
            y=self.y + other.y,
            xx=self.xx + other.xx,
            yy=self.yy + other.yy,
            xy=self.xy + other.xy,
        )


class _Means(NamedTuple):
    """The two means, and the variances and the covariance of those means."""

    x: float
    y: float
    var_x: float
    var_y: float
    cov: float


def ratio_interval(sums: RatioSums, *, level: float = 0.95, unseen: float = 0.0) -> Interval:
    """Return the interval of mean(x) / mean(y) over cases, for other cases like these.

    `log_delta_interval`; without an upper bound when y is not separated from 0 (`is_separated`), and
    without any bound when fewer than two cases, or no positive y, show nothing. Range: [0, ∞).
    Source: delta method on the logarithm; coverage by `python -m perf.simulations ratios`.

    >>> interval = ratio_interval(RatioSums.of([0.9, 0.8, 1, 0.6, 0.7], [0.7, 0.6, 0.9, 0.5, 0.6]))
    >>> round(interval.low, 4), round(interval.high, 4)
    (1.0955, 1.3411)
    >>> ratio_interval(RatioSums.of([0.10, 0.12, 0.30, 0.08], [1, 0, 0, 0])).high is None
    True
    """
    if sums.count < FEWEST_CASES or sums.y == 0:
        return _interval(None, None, level=level, method=LOG_DELTA)
    if sums.x == 0:
        return _interval(0.0, None, level=level, method=LOG_DELTA)
    interval = log_delta_interval(sums, level=level, unseen=unseen)
    return interval if is_separated(sums, level=level) else replace(interval, high=None)


def log_delta_interval(sums: RatioSums, *, level: float = 0.95, unseen: float = 0.0) -> Interval:
    """Return mean(x) / mean(y) times exp(± t * s), whether or not y is separated from 0.

    s² = var(x̄)/x̄² + var(ȳ)/ȳ² - 2 cov(x̄, ȳ)/(x̄ ȳ) + u / (M (M - 1)), t with M - 1 degrees of freedom;
    u (`unseen`) is what cases that were not seen would add to the squared deviations.
    Range: at least two cases and positive sums; (0, ∞). Source: as `ratio_interval`.

    >>> interval = log_delta_interval(RatioSums.of([0.10, 0.12, 0.30, 0.08], [1, 0, 0, 0]))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0152, 23.7606)
    """
    if sums.count < FEWEST_CASES or sums.x <= 0 or sums.y <= 0:
        raise DomainError("the logarithm of a ratio needs two cases or more and positive sums")
    m = _means(sums)
    relative = m.var_x / m.x**2 + m.var_y / m.y**2 - 2 * m.cov / (m.x * m.y)
    relative += unseen / (sums.count * (sums.count - 1))
    reach = t_quantile(two_sided(level), freedom=sums.count - 1) * sqrt(max(0.0, relative))
    ratio = sums.x / sums.y
    return _interval(ratio * exp(-reach), ratio * exp(reach), level=level, method=LOG_DELTA)


def fieller_interval(sums: RatioSums, *, level: float = 0.95) -> Interval:
    """Return all ratios r for which mean(x - r y) is not separated from 0; no bounds if there is no end.

    The roots of (ȳ² - t² var ȳ) r² - 2 (x̄ȳ - t² cov) r + (x̄² - t² var x̄). Range: at least two cases.
    Source: Fieller 1954. Exact for normal data, but often unbounded; the default is `ratio_interval`.

    >>> interval = fieller_interval(RatioSums.of([0.9, 0.8, 1, 0.6, 0.7], [0.7, 0.6, 0.9, 0.5, 0.6]))
    >>> round(interval.low, 4), round(interval.high, 4)
    (1.1033, 1.3624)
    """
    if not is_separated(sums, level=level):
        return _interval(None, None, level=level, method=FIELLER)
    m = _means(sums)
    t_sq = t_quantile(two_sided(level), freedom=sums.count - 1) ** 2
    a, half_b, c = m.y**2 - t_sq * m.var_y, m.x * m.y - t_sq * m.cov, m.x**2 - t_sq * m.var_x
    root = sqrt(max(0.0, half_b**2 - a * c))
    return _interval((half_b - root) / a, (half_b + root) / a, level=level, method=FIELLER)


def is_separated(sums: RatioSums, *, level: float = 0.95) -> bool:
    """Whether the mean of y, the denominator, is separated from 0: ȳ² > t² var(ȳ).

    False with fewer than two cases. Source: Fieller 1954, the condition for a bounded set.

    >>> is_separated(RatioSums.of([1, 1, 1], [1, 0, 0])), is_separated(RatioSums.of([1, 1, 1], [1, 1, 1]))
    (False, True)
    """
    if sums.count < FEWEST_CASES:
        return False
    m = _means(sums)
    return m.y**2 > t_quantile(two_sided(level), freedom=sums.count - 1) ** 2 * m.var_y


def cost_of_pass_interval(  # noqa: PLR0913  # sums, and what they are of
    *,
    costs: Sequence[float] | Floats,
    passes: Sequence[float] | Floats,
    samples: int,
    most: float | None = None,
    trials: int | None = None,
    level: float = 0.95,
) -> Interval:
    """Return the interval of total cost / total passes, from each case's total cost and passes.

    `ratio_interval` with a pseudo-case of mean cost without a pass, and a 16th of one that always passes:
    a model that rarely passes may just not have met one. Fewer than five passes give no upper bound, and the
    lower one is at least that of the mean cost of a sample. `most` is what such a case adds to the passes, by
    default the mean number of its samples. Without a single pass, at least `zero_pass_bound` with cases as
    the trials, since samples of one case pass or fail together; `trials` are those that have any, by default
    all.
    Range: [0, ∞) in the unit of the costs.
    Source: delta method on the logarithm; Clopper and Pearson 1934 for no pass.

    >>> interval = cost_of_pass_interval(costs=[0.5] * 10, passes=[0] * 10, samples=10)
    >>> round(interval.low, 4), interval.high
    (1.9315, None)
    """
    sums = RatioSums.of(costs, passes)
    if sums.y > 0:
        if sums.x == 0:
            return _interval(0.0, 0.0, level=level, method=LOG_DELTA_PSEUDO)
        full = samples / sums.count if most is None else most
        fewest = FEWEST_PASSES if most is None else FEWEST_PASSES * sums.count * most / samples
        unseen = DEAR_CASE + ODD_CASE * (1 - full * sums.count / sums.y) ** 2
        interval = replace(ratio_interval(sums, level=level, unseen=unseen), method=LOG_DELTA_PSEUDO)
        if sums.y >= fewest:
            return interval
        return replace(interval, low=_higher(interval.low, _mean_cost_bound(sums, samples, level)), high=None)
    tried = sums.count if trials is None else trials
    low = zero_pass_bound(mean_cost=sums.x / samples, trials=tried, level=level) if tried else None
    return _interval(low, None, level=level, method=ZERO_PASSES)


def _mean_cost_bound(sums: RatioSums, samples: int, level: float) -> float | None:
    """Return the lower bound of a sample's mean cost: a pass costs no less."""
    if sums.count < FEWEST_CASES:
        return None
    each = samples / sums.count
    return log_delta_interval(replace(sums, y=samples, yy=samples * each, xy=sums.x * each), level=level).low


def _higher(low: float | None, other: float | None) -> float | None:
    return max((bound for bound in (low, other) if bound is not None), default=None)


def zero_pass_bound(*, mean_cost: float, trials: int, level: float = 0.95) -> float:
    """Return the least that a pass costs when none of so many independent trials passed.

    mean_cost / (1 - (1 - level)^(1/trials)), one-sided; roughly the total cost / 3 at 95 %.
    Range: trials >= 1; [mean_cost, ∞). Source: Clopper and Pearson 1934 at 0 of N.

    >>> round(zero_pass_bound(mean_cost=0.5, trials=10), 6)
    1.931505
    """
    if trials < 1 or not 0 < level < 1:
        raise DomainError(f"the bound needs a trial and a level between 0 and 1, got {trials} and {level}")
    return mean_cost / -expm1(log1p(-level) / trials)


def uplift_interval(
    *, tier: Sequence[float] | Floats, baseline: Sequence[float] | Floats, level: float = 0.95
) -> Interval | None:
    """Return the interval of mean(tier) / mean(baseline) - 1 over shared cases, or None.

    `ratio_interval` minus 1, paired by case, with a 16th of a pseudo-case in which only the tier passes and
    one in which only the baseline does: ten cases that both pass do not prove that none differs. None when
    the baseline is not separated from 0: then only the difference in points says something.
    Range: values in [0, 1]; [-1, ∞). Source: as `ratio_interval`.

    >>> interval = uplift_interval(tier=[0.9, 0.8, 1, 0.6] * 9, baseline=[0.7, 0.6, 0.9, 0.5] * 9)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.1763, 0.2699)
    """
    sums = RatioSums.of(tier, baseline)
    if not is_separated(sums, level=level):
        return None
    ratio = ratio_interval(sums, level=level, unseen=_unseen_difference(sums))
    low, high = (None if bound is None else bound - 1 for bound in (ratio.low, ratio.high))
    return _interval(low, high, level=level, method=LOG_DELTA_PSEUDO)


def _unseen_difference(sums: RatioSums) -> float:
    """Return what pseudo-cases add to the squared deviations, one that passes in x only and one in y only."""
    if sums.x == 0:
        return 0.0
    return ODD_CASE * ((sums.count / sums.x) ** 2 + (sums.count / sums.y) ** 2)


def _means(sums: RatioSums) -> _Means:
    m = sums.count
    scale = 1 / (m * (m - 1))
    return _Means(
        x=sums.x / m,
        y=sums.y / m,
        var_x=max(0.0, sums.xx - sums.x**2 / m) * scale,
        var_y=max(0.0, sums.yy - sums.y**2 / m) * scale,
        cov=(sums.xy - sums.x * sums.y / m) * scale,
    )


def _interval(low: float | None, high: float | None, *, level: float, method: str) -> Interval:
    return Interval(low=low, high=high, level=level, target=Target.NEW_CASES, method=method)
