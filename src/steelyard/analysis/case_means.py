"""Take the mean over the samples of each case: passes, score, cost.

With a fixed number of samples it is the plain mean. Where sampling stopped by a declared rule, the plain mean
is biased; path counting (`metrics/stopping.py`) gives one that is right on average.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from steelyard.errors import DomainError, UserError
from steelyard.metrics.shares import Shares
from steelyard.metrics.stopping import StopRule, is_open, stop_rule_of, stopped_mean
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.outcome import Classification
from steelyard.model.state import CaseState
from steelyard.model.units import MICRO_POINTS, NANO_USD

Share = tuple[int, int]  # a part and the whole it is of

FIXED_ONLY = "it needs a fixed number of samples, and here a stop rule decided"


@lru_cache(maxsize=8)
def stop_rule(text: str | None) -> StopRule | None:
    """Read a stop rule such as `maximum=10,passes=1`; every case must have been drawn by it."""
    if text is None:
        return None
    try:
        return stop_rule_of(text)
    except DomainError as error:
        raise UserError(f"`stop_rule={text}`: {error}") from None


def fixed_only() -> Estimate:
    """Return the gap in place of a number that a stop rule biases and that nothing corrects."""
    return Estimate.undefined(Reason.OPTIONAL_STOPPING, FIXED_ONLY)


def left_open(states: Sequence[CaseState], rule: StopRule | None) -> Estimate | None:
    """Return the gap in place of a mean over cases of which some were left before the rule ended them."""
    if rule is None:
        return None
    short = sum(not state.is_missing and is_open(rule, n=state.n, c=state.c) for state in states)
    if not short:
        return None
    shown = f"{short} of {len(states)} cases left before the stop rule ended them"
    return Estimate.undefined(Reason.OPTIONAL_STOPPING, shown)


def pass_share(state: CaseState, rule: StopRule | None) -> Share:
    """Return the pass rate of a case; 0 for a missing one, which takes part where it counts as failed."""
    return _share(state, rule, passed=state.c, failed=0)


def kind_share(state: CaseState, kind: Classification, rule: StopRule | None) -> Share:
    """Return the share of a case's samples that ended in one kind."""
    count = state.ended_in(kind)
    passed, failed = (count, 0) if kind is Classification.PASS else (0, count)
    return _share(state, rule, passed=passed, failed=failed)


def score_share(state: CaseState, rule: StopRule | None) -> Share:
    """Return the mean score of a case; 0 for a missing one, which takes part where it counts as failed."""
    if rule is None:
        return (state.score_sum, state.score_n * MICRO_POINTS) if state.score_n else (0, 1)
    failed = state.score_sum - state.score_pass_sum
    part, whole = _share(state, rule, passed=state.score_pass_sum, failed=failed)
    return part, whole * MICRO_POINTS


def pass_shares(states: Sequence[CaseState], rule: StopRule | None) -> Shares:
    """Return the `pass_share` of each case."""
    if rule is None:
        return Shares.of([state.c for state in states], [state.n or 1 for state in states])
    return _columns([pass_share(state, rule) for state in states])


def score_shares(states: Sequence[CaseState], rule: StopRule | None) -> Shares:
    """Return the `score_share` of each case."""
    if rule is None:
        sums = [state.score_sum for state in states]
        return Shares.of(sums, [state.score_n * MICRO_POINTS or 1 for state in states])
    return _columns([score_share(state, rule) for state in states])


def kind_shares(
    states: Sequence[CaseState], kinds: Sequence[Classification], rule: StopRule | None
) -> Shares:
    """Return the `kind_share` of each case, each of a kind of its own."""
    return _columns([kind_share(state, kind, rule) for state, kind in zip(states, kinds, strict=True)])


def _columns(shares: Sequence[Share]) -> Shares:
    return Shares.of([part for part, _ in shares], [share for _, share in shares])


def mean_cost(state: CaseState, rule: StopRule) -> Fraction:
    """Return what a sample of a case costs in US dollars, with its share of the errored samples' cost."""
    evidence = stopped_mean(
        rule, n=state.n, c=state.c, passed=state.cost_pass_sum, failed=state.cost_fail_sum
    )
    errors = state.cost_sum - state.cost_pass_sum - state.cost_fail_sum
    return (evidence + Fraction(errors, state.n)) / NANO_USD


def _share(state: CaseState, rule: StopRule | None, *, passed: int, failed: int) -> Share:
    if not state.n:
        return 0, 1
    if rule is None:
        return passed + failed, state.n
    return stopped_mean(rule, n=state.n, c=state.c, passed=passed, failed=failed).as_integer_ratio()
