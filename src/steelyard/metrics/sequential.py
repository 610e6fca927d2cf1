"""Decide while samples are still being generated: an e-value that holds at any stopping time.

It counts paired samples of the same cases: a loss is a pass that became a failure, a win the reverse.
"""

from enum import StrEnum
from math import log

from steelyard.errors import DomainError

LOSS_SHARE = 0.6  # of the discordant pairs, if the drop is one worth seeing
ACCEPT = 0.08  # an e-value so low that a drop worth seeing is implausible


class Step(StrEnum):
    """What to do after a round."""

    CONTINUE = "continue"  # draw more samples
    DROP = "drop"  # stop: there is a drop
    NO_DROP = "no_drop"  # stop: no drop was shown, and going on would hardly change that


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


def _check_pairs(losses: int, wins: int) -> None:
    if losses < 0 or wins < 0:
        raise DomainError(f"losses and wins are not negative, got {losses} and {wins}")
