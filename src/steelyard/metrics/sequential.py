"""Stop early without fooling yourself: decide while samples are still coming in.

Group-sequential bounds for a job that looks a fixed number of times, and an e-value for looking whenever
one likes. Both are about paired samples of the same cases: a loss is a pass that became a failure, a win
the reverse. Here positive z means a drop.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.polynomial.legendre import leggauss

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats
from steelyard.metrics.quantiles import normal_below

NODES = 120  # of the integration grid; twenty looks come out the same to ten digits with twice as many
FAR = 10.0  # standard deviations beyond which a path has no chance to be
REFINEMENTS = 50  # halvings of the interval that holds the critical value
LARGEST_CRITICAL = 12.0

# Give up when z sqrt(t) < 0.326 t² + 2.05 t - 1 at the share t of all samples: a curve through the bounds
# -0.2, 0.45 and 0.95 at two, three and four fifths of 5 looks at alpha = 0.05, shifted by how far the last
# critical value is from theirs. It costs one to three points of a power of 90 %, more with more looks.
FUTILITY = (-1.0, 2.05, 0.326)
FUTILITY_CRITICAL = 1.75
FUTILITY_FROM = 0.39  # a share t of the samples; earlier there is too little to give up on

LOSS_SHARE = 0.6  # of the discordant pairs, if the drop is one worth seeing
ACCEPT = 0.08  # an e-value so low that a drop worth seeing is implausible


class Step(StrEnum):
    """What to do after a look."""

    CONTINUE = "continue"  # draw more samples
    DROP = "drop"  # stop: there is a drop
    NO_DROP = "no_drop"  # stop: no drop was shown, and going on would hardly change that


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """Bounds on z at equally spaced looks: at `upper` or more stop for a drop, below `lower` give up."""

    upper: tuple[float, ...]
    lower: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """How bounds behave: the chance to stop for a drop, and the share of all samples drawn on average."""

    reject: float
    expected_share: float


@lru_cache(maxsize=64)
def obrien_fleming(*, looks: int = 5, alpha: float = 0.05, futility: bool = True) -> Looks:
    """Return one-sided O'Brien-Fleming bounds, with or without stopping for futility.

    upper_k = C sqrt(K/k), C such that under no change the chance to cross any is alpha; computed by
    integrating over the paths. Giving up is optional: `upper` holds alpha without it.
    Range: 1 .. 20 looks, 0 < alpha < 1/2. Source: O'Brien and Fleming 1979; Armitage, McPherson and Rowe
    1969 for the integration.

    >>> [round(z, 2) for z in obrien_fleming(looks=5, alpha=0.05).upper]
    [3.92, 2.77, 2.26, 1.96, 1.75]
    """
    if not 1 <= looks <= 20 or not 0 < alpha < 0.5:  # noqa: PLR2004 - stated as the range above
        raise DomainError(f"1 to 20 looks and an alpha below one half, got {looks} and {alpha}")
    low, high = 0.0, LARGEST_CRITICAL
    for _ in range(REFINEMENTS):
        critical = (low + high) / 2
        exceeds = operation(_bounds(critical, looks, futility=False)).reject > alpha
        low, high = (critical, high) if exceeds else (low, critical)
    return _bounds(high, looks, futility=futility)


def operation(looks: Looks, *, drift: float = 0.0) -> Operation:
    """Return how often bounds stop for a drop, and how soon, when z drifts to `drift` at the last look.

    The sum of k unit normals plus drift k / sqrt(K), integrated over the paths that stay between the
    bounds, by Gauss-Legendre quadrature. Range: reject in [0, 1], expected_share in (0, 1].
    Source: Armitage, McPherson and Rowe 1969; Jennison and Turnbull 2000, chapter 19.

    >>> one_look = Looks(upper=(1.6448536,), lower=(None,))
    >>> round(operation(one_look).reject, 6), round(operation(one_look, drift=2.486).reject, 3)
    (0.05, 0.8)
    """
    count = len(looks.upper)
    step = drift / sqrt(count)
    at, mass = np.zeros(1), np.ones(1)  # where the paths are that have not stopped, and how many
    reject = share = 0.0
    for k, (upper, lower) in enumerate(zip(looks.upper, looks.lower, strict=True), start=1):
        share += float(mass.sum()) / count
        top = upper * sqrt(k)
        reject += float(mass @ _normals_below(at + step - top))
        floor = k * step - FAR * sqrt(k)
        bottom = max(floor, floor if lower is None else lower * sqrt(k))
        at, mass = _move(at + step, mass, bottom, top)
    return Operation(reject=reject, expected_share=share)


def look(looks: Looks, *, number: int, z: float) -> Step:
    """Return what to do after look `number` (from 1), z positive towards a drop.

    DROP at or above the upper bound; NO_DROP below the lower one, and at the last look; else CONTINUE.
    Range: 1 <= number <= looks. Source: as `obrien_fleming`.

    >>> bounds = obrien_fleming()
    >>> look(bounds, number=2, z=3.0).value, look(bounds, number=2, z=1.0).value
    ('drop', 'continue')
    """
    if not 1 <= number <= len(looks.upper):
        raise DomainError(f"there are {len(looks.upper)} looks, got number {number}")
    upper, lower = looks.upper[number - 1], looks.lower[number - 1]
    if z >= upper:
        return Step.DROP
    gives_up = lower is not None and z < lower
    return Step.NO_DROP if gives_up or number == len(looks.upper) else Step.CONTINUE


def discordance_z(*, losses: int, wins: int) -> float:
    """Return z of the sign test on paired samples, positive when losses prevail.

    (losses - wins) / sqrt(losses + wins), 0 without discordant pairs. Range: any real.
    Source: McNemar 1947.

    >>> discordance_z(losses=9, wins=0)
    3.0
    """
    _check_pairs(losses, wins)
    return (losses - wins) / sqrt(max(1, losses + wins))


def log_e_value(*, losses: int, wins: int, loss_share: float = LOSS_SHARE) -> float:
    """Return the logarithm of the evidence for a drop; 1/alpha or more may stop for it at any time.

    losses ln(2 θ) + wins ln(2 (1 - θ)), θ = `loss_share`: the likelihood ratio of the discordant pairs,
    a test martingale when no case changed. Logarithms add up over independent runs.
    Range: any real; 1/2 < θ < 1. Source: Wald 1945; Ville 1939 for stopping at any time.

    >>> round(log_e_value(losses=17, wins=0), 4)
    3.0995
    """
    _check_pairs(losses, wins)
    if not 0.5 < loss_share < 1:  # noqa: PLR2004 - at one half there is no drop
        raise DomainError(f"the share of losses lies between 1/2 and 1, got {loss_share}")
    return losses * log(2 * loss_share) + wins * log(2 * (1 - loss_share))


def sprt_step(
    *, losses: int, wins: int, loss_share: float = LOSS_SHARE, alpha: float = 0.05, accept: float = ACCEPT
) -> Step:
    """Return what to do after any number of paired samples.

    DROP when the e-value reaches 1/alpha, NO_DROP when it falls to `accept`, else CONTINUE.
    Range: 0 < alpha, accept < 1; false alarms at most alpha, whenever one looks.
    Source: Wald 1945, with Ville's threshold.

    >>> sprt_step(losses=17, wins=0).value, sprt_step(losses=0, wins=12).value
    ('drop', 'no_drop')
    """
    return step_of(log_e_value(losses=losses, wins=wins, loss_share=loss_share), alpha=alpha, accept=accept)


def step_of(evidence: float, *, alpha: float = 0.05, accept: float = ACCEPT) -> Step:
    """Return what to do by the logarithm of an e-value for a drop.

    Range and source as `sprt_step`.

    >>> [step_of(log(e)).value for e in (20.1, 19.9, 0.07)]
    ['drop', 'continue', 'no_drop']
    """
    if not (0 < alpha < 1 and 0 < accept < 1):
        raise DomainError(f"alpha and accept lie between 0 and 1, got {alpha} and {accept}")
    if evidence >= -log(alpha):
        return Step.DROP
    return Step.NO_DROP if evidence <= log(accept) else Step.CONTINUE


def _bounds(critical: float, looks: int, *, futility: bool) -> Looks:
    times = [k / looks for k in range(1, looks + 1)]
    start, slope, bend = FUTILITY
    lower = [
        (bend * t**2 + (slope + critical - FUTILITY_CRITICAL) * t + start) / sqrt(t)
        if futility and FUTILITY_FROM < t < 1
        else None
        for t in times
    ]
    return Looks(upper=tuple(critical / sqrt(t) for t in times), lower=tuple(lower))


def _move(at: Floats, mass: Floats, bottom: float, top: float) -> tuple[Floats, Floats]:
    """Add a unit normal to every path and keep those between the bounds, as masses on a grid."""
    x, weight = _grid()
    nodes = bottom + (top - bottom) * (x + 1) / 2
    density = np.exp(-((nodes[:, None] - at[None, :]) ** 2) / 2) @ mass / sqrt(2 * np.pi)
    return nodes, density * weight * (top - bottom) / 2


@lru_cache(maxsize=1)
def _grid() -> tuple[Floats, Floats]:
    return leggauss(NODES)


def _check_pairs(losses: int, wins: int) -> None:
    if losses < 0 or wins < 0:
        raise DomainError(f"losses and wins are not negative, got {losses} and {wins}")


def _normals_below(z: Floats) -> Floats:
    return np.array([normal_below(value) for value in z.tolist()])
