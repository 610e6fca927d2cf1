"""Weigh evidence that a drop is smaller than a margin, to be looked at whenever one likes.

The e-value for a drop in `metrics/sequential.py` fails a gate, this one passes it.
"""

from collections.abc import Sequence
from math import exp, fsum, log, log1p

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats

STAKES = (0.15, 0.3, 0.6, 0.95)  # shares of the highest stake; between two of them little is lost


def log_e_within(*, losses: int, wins: int, same: int, margin: float) -> float:
    """Return the logarithm of the evidence that the drop is below the margin; 1/alpha may pass at any time.

    The mean over stakes s of (1 - s (1 - m))^losses (1 + s (1 + m))^wins (1 + s m)^same, s being shares
    of 1 / (1 - m). Where the drop over the cases is m or more, a round of one pair of each case
    multiplies it by at most 1 on average, because the geometric mean of 1 + s (m - d) over the cases is
    at most the arithmetic one. Range: any real; 0 < m < 1. Source: Ville 1939; Waudby-Smith and Ramdas 2024.

    >>> round(exp(log_e_within(losses=0, wins=0, same=100, margin=0.05)), 1)
    40.2
    """
    return mean_of_logs(log_pair_stakes(losses=losses, wins=wins, same=same, margin=margin))


def log_pair_stakes(*, losses: int, wins: int, same: int, margin: float) -> tuple[float, ...]:
    """Return the logarithm of what each stake of `log_e_within` has become.

    Range and source as `log_e_within`.

    >>> [round(one, 2) for one in log_pair_stakes(losses=0, wins=0, same=100, margin=0.05)]
    [0.79, 1.57, 3.11, 4.88]
    """
    if min(losses, wins, same) < 0:
        raise DomainError(f"losses, wins and ties are not negative, got {losses}, {wins} and {same}")
    if not 0 < margin < 1:
        raise DomainError(f"the margin lies between 0 and 1, got {margin}")
    return tuple(_log_stake(losses, wins, same, margin, share) for share in STAKES)


def log_drop_stakes(drops: Floats) -> tuple[float, ...]:
    """Return the logarithm of what each bet on a drop of the scores becomes in a round.

    The sum of log(1 + s d) over the cases, for each stake s. If a case did not change, its two samples
    may change places, so that d is as likely as -d and each factor is 1 on average. Logarithms of
    rounds add up. Range: any real; drops in [-1, 1]. Source: Ville 1939; Waudby-Smith and Ramdas 2024.

    >>> import numpy as np
    >>> [round(one, 2) for one in log_drop_stakes(np.array([0.5, 0.5, 0.0]))]
    [0.14, 0.28, 0.52, 0.78]
    """
    return log_stakes(-drops, margin=0)


def log_stakes(drops: Floats, *, margin: float) -> tuple[float, ...]:
    """Return the logarithm of what each stake becomes in a round, by the drop of each case's score.

    The sum of log(1 + s (m - d)) over the cases, for each stake s of `log_e_within`. Logarithms of rounds add
    up. Range: any real; 0 <= m < 1. Source: as `log_e_within`.

    >>> import numpy as np
    >>> [round(one, 2) for one in log_stakes(np.zeros(100), margin=0.05)]
    [0.79, 1.57, 3.11, 4.88]
    """
    if not 0 <= margin < 1:
        raise DomainError(f"the margin lies between 0 and 1, got {margin}")
    stakes = [share / (1 - margin) for share in STAKES]
    return tuple(fsum(log1p(stake * (margin - drop)) for drop in drops.tolist()) for stake in stakes)


def mean_of_logs(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of numbers given by their logarithms.

    >>> round(exp(mean_of_logs([log(2), log(4)])), 9)
    3.0
    """
    largest = max(logs)
    return largest + log(fsum(exp(item - largest) for item in logs) / len(logs))


def _log_stake(losses: int, wins: int, same: int, margin: float, share: float) -> float:
    stake = share / (1 - margin)
    return (
        losses * log1p(-stake * (1 - margin))
        + wins * log1p(stake * (1 + margin))
        + same * log1p(stake * margin)
    )
