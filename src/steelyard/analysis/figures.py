"""Work out the figures of a group of cases: pass@k, scores, costs, latency, spreads.

Takes counted cases and returns estimates; no wording and no layout.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import fsum

from steelyard.analysis.case_means import (
    fixed_only,
    left_open,
    mean_cost,
    pass_shares,
    score_shares,
    stop_rule,
)
from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.cost import group_cost_of_pass
from steelyard.metrics.pass_at_k import (
    estimate_pass_at_k,
    mean_pass_at_k,
    mean_pass_hat_k,
    pass_at_k,
    pass_hat_k,
)
from steelyard.metrics.shares import Shares
from steelyard.metrics.stopping import StopRule, is_estimable, is_open, stopped_pass_at_k
from steelyard.metrics.summaries import NO_STATISTICS, statistics_of_histogram, statistics_of_spread
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Spreads
from steelyard.model.state import CaseState, Evidence, Quantity
from steelyard.model.summary import CostOfPass, Statistics
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD


def estimate(value: Fraction | None, reason: Reason = Reason.NO_CASES) -> Estimate:
    """Round an exact number once, at the very end."""
    return Estimate.undefined(reason) if value is None else Estimate.of(float(value))


def case_pass_at_k(subject: SubjectCases, k: int) -> list[float]:
    """Return pass@k of every case; each must have enough samples for it."""
    rule = stop_rule(subject.options.stop_rule)
    if rule is None:
        return _of_counts(subject, lambda n, c: pass_at_k(n=n, c=c, k=k))
    # A case without a single sample takes part only where it counts as failed.
    return [
        0.0 if case_state.is_missing else _stopped_pass_at_k(case_state.n, case_state.c, k, rule)
        for case_state in subject.counted
    ]


@lru_cache(maxsize=65536)
def _stopped_pass_at_k(n: int, c: int, k: int, rule: StopRule) -> float:
    return stopped_pass_at_k(rule, n=n, c=c, k=k)


def case_pass_hat_k(subject: SubjectCases, k: int) -> list[float]:
    """Return pass^k of every case; each must have enough samples for it."""
    return _of_counts(subject, lambda n, c: pass_hat_k(n=n, c=c, k=k))


def _of_counts(subject: SubjectCases, figure: Callable[[int, int], float]) -> list[float]:
    """Return a figure of every case; of many cases few have different counts."""
    result = {(n, c): figure(n, c) for n, c in set(subject.counts)}
    return [result[counts] for counts in subject.counts]


def estimate_pass_at(n: int, c: int, k: int, rule_text: str | None) -> Estimate:
    """Estimate pass@k of one case, by path counting where a stop rule was declared."""
    rule = stop_rule(rule_text)
    if rule is None or not n:
        return estimate_pass_at_k(n=n, c=c, k=k)
    if not is_estimable(rule, k=k):
        return _stops_too_soon(k)
    if is_open(rule, n=n, c=c):
        return Estimate.undefined(Reason.OPTIONAL_STOPPING, f"left after {n}, before the stop rule ended it")
    return Estimate.of(_stopped_pass_at_k(n, c, k, rule))


def _stops_too_soon(k: int) -> Estimate:
    return Estimate.undefined(
        Reason.OPTIONAL_STOPPING, f"the stop rule can end before {k} samples without a pass"
    )


def mean_pass_at(subject: SubjectCases, k: int) -> Estimate:
    """Estimate the mean pass@k, by path counting where a stop rule was declared."""
    rule = stop_rule(subject.options.stop_rule)
    if rule is None:
        return mean_pass_at_k(subject.counts, k=k)
    if not is_estimable(rule, k=k):
        return _stops_too_soon(k)
    if short := left_open(subject.counted, rule):
        return short
    values = case_pass_at_k(subject, k)
    return Estimate.of(fsum(values) / len(values)) if values else Estimate.undefined(Reason.NO_CASES)


def mean_pass_hat(subject: SubjectCases, k: int) -> Estimate:
    """Estimate the mean pass^k; with a stop rule there is no estimate of it."""
    if subject.options.stop_rule is not None:
        return fixed_only()
    return mean_pass_hat_k(subject.counts, k=k)


def mean_over_cases(
    states: Sequence[CaseState], shares: Callable[[], Shares], rule: StopRule | None
) -> Estimate:
    """Return the mean of the shares of some cases, of which each must have evidence or count as failed."""
    if any(not state.n and not state.is_missing for state in states):
        return Estimate.undefined(Reason.NO_SAMPLES)
    return left_open(states, rule) or estimate(shares().mean())


def mean_score(
    states: Sequence[CaseState], rule: StopRule | None = None, shares: Callable[[], Shares] | None = None
) -> Estimate:
    """Return the mean over cases of the mean score over samples; `shares` are the scores, if made already."""
    present = [state for state in states if state.n or state.n_error]
    drawn, scored = [state.n for state in present], [state.score_n for state in present]
    if empty := drawn.count(0):
        return Estimate.undefined(Reason.NO_SAMPLES, f"{empty} of {len(present)} cases have no evidence")
    if present and not any(scored):
        return Estimate.undefined(Reason.NOT_MEASURED)
    if scored != drawn:
        return Estimate.undefined(Reason.PARTLY_MEASURED, "some samples have no score")
    return left_open(present, rule) or estimate((shares() if shares else score_shares(states, rule)).mean())


def build_rate(case_state: CaseState, rule: StopRule | None) -> Estimate:
    """Return the share of samples that build, among those where anyone looked."""
    if rule is not None and case_state.built_n:
        return fixed_only()
    rate = Fraction(case_state.built_sum, case_state.built_n) if case_state.built_n else None
    return estimate(rate, Reason.NOT_MEASURED)


def pass_rate_of_tests(states: Iterable[CaseState], rule: StopRule | None) -> Estimate:
    """Return the mean over cases of the share of tests that pass."""
    tested = [state for state in states if state.tests_n]
    if rule is not None and tested:
        return fixed_only()
    sums, wholes = (
        [case_state.tests_sum for case_state in tested],
        [case_state.tests_n * MICRO_POINTS for case_state in tested],
    )
    return estimate(Shares.of(sums, wholes).mean(), Reason.NOT_MEASURED)


def mean_latency(case_state: CaseState) -> Fraction | None:
    """Return the mean latency of a sample in seconds."""
    return (
        Fraction(case_state.latency_sum, case_state.latency_n * MICROSECONDS)
        if case_state.latency_n
        else None
    )


def total_cost(case_state: CaseState) -> Estimate:
    """Return the money spent in US dollars; unknown as soon as one sample's cost is."""
    if not case_state.cost_n:
        return Estimate.undefined(Reason.NOT_MEASURED)
    if case_state.n_unpriced:
        lack = "1 sample has" if case_state.n_unpriced == 1 else f"{case_state.n_unpriced} samples have"
        shown = f"{lack} no cost; the others cost ${case_state.cost_sum / NANO_USD:.4f}"
        return Estimate.undefined(Reason.PARTLY_MEASURED, shown)
    return Estimate.of(float(Fraction(case_state.cost_sum, NANO_USD)))


def cost_of_pass(subject: SubjectCases) -> CostOfPass | None:
    """Return total cost / total passes, or None where the total cost is unknown.

    Samples of one case are no independent evidence, so that without a pass the bound rests on the cases.
    Under a stop rule hard cases are drawn more often: then it is the mean cost of a sample divided by the
    mean pass rate, both by path counting, and unknown where these are.
    """
    whole, rule = subject.total, stop_rule(subject.options.stop_rule)
    if total_cost(whole).value is None:
        return None
    if rule is not None and whole.c:
        return _stopped_cost_of_pass(subject, rule)
    cost, cases = Fraction(whole.cost_sum, NANO_USD), sum(state.n > 0 for state in subject.states)
    level = subject.options.level
    return group_cost_of_pass(
        total_cost=cost, passes=whole.c, samples=whole.n, independent=cases, level=level
    )


def _stopped_cost_of_pass(subject: SubjectCases, rule: StopRule) -> CostOfPass:
    seen = [state for state in subject.states if state.n]
    if left_open(seen, rule):
        return CostOfPass(value=None)
    costs, passes = case_costs_and_passes(seen, rule)
    return CostOfPass(value=fsum(costs) / fsum(passes) if any(passes) else None)


def case_costs_and_passes(
    states: Sequence[CaseState], rule: StopRule | None
) -> tuple[list[float], list[float]]:
    """Return what each case adds to a subject's cost and passes: totals, or under a rule means."""
    if rule is None:
        return [state.cost_sum / NANO_USD for state in states], [float(state.c) for state in states]
    return [float(mean_cost(state, rule)) for state in states], pass_shares(states, rule).values.tolist()


def spreads(subject: SubjectCases, evidence: Evidence) -> Spreads:
    """Describe how each quantity spreads over the samples; under a stop rule these are no fair sample."""
    if subject.options.stop_rule is not None:
        return Spreads(**{name: _unfair(subject, name) for name in _SPREADS})
    failed, passed = subject.total.n - subject.total.c, subject.total.c
    return Spreads(
        pass_rate=statistics_of_histogram([(0, failed), (1, passed)], unit=1),
        score=_spread(subject, evidence, Quantity.SCORE),
        impl_rate=_spread(subject, evidence, Quantity.IMPL_RATE),
        cost_usd=_spread(subject, evidence, Quantity.COST),
        latency_s=_spread(subject, evidence, Quantity.LATENCY),
    )


def _spread(subject: SubjectCases, evidence: Evidence, quantity: Quantity) -> Statistics:
    if evidence.spreads is None:
        return _only_mean(subject, quantity)
    spread = evidence.spreads.get((subject.key, quantity))
    if spread is None:
        return replace(NO_STATISTICS, reason=Reason.NOT_MEASURED)
    return statistics_of_spread(spread, unit=quantity.unit)


_SPREADS = {
    "pass_rate": "n",
    "score": "score_n",
    "impl_rate": "impl_n",
    "cost_usd": "cost_n",
    "latency_s": "latency_n",
}


def _unfair(subject: SubjectCases, name: str) -> Statistics:
    is_measured = getattr(subject.total, _SPREADS[name]) > 0
    return replace(NO_STATISTICS, reason=Reason.OPTIONAL_STOPPING if is_measured else Reason.NOT_MEASURED)


_SUMS = {
    Quantity.SCORE: ("score_sum", "score_n"),
    Quantity.IMPL_RATE: ("impl_sum", "impl_n"),
    Quantity.COST: ("cost_sum", "cost_n"),
    Quantity.LATENCY: ("latency_sum", "latency_n"),
}


def latency_p95(subject: SubjectCases, evidence: Evidence) -> Estimate | None:
    """Return the seconds within which 95 % of the samples were answered, or None if it was not measured."""
    if not subject.total.latency_n:
        return None
    if subject.options.stop_rule is not None:
        return fixed_only()
    if evidence.spreads is None:
        return Estimate.undefined(Reason.TOO_MANY_VALUES)
    spread = evidence.spreads.get((subject.key, Quantity.LATENCY))
    if spread is None or spread.p95 is None:
        return Estimate.undefined(Reason.NOT_MEASURED)
    return Estimate.of(spread.p95 / Quantity.LATENCY.unit)


def _only_mean(subject: SubjectCases, quantity: Quantity) -> Statistics:
    total, count = (getattr(subject.total, name) for name in _SUMS[quantity])
    mean = float(Fraction(total, count * quantity.unit)) if count else None
    reason = Reason.TOO_MANY_VALUES if count else Reason.NOT_MEASURED
    return replace(NO_STATISTICS, mean=mean, count=count, reason=reason)


def failures(case_state: CaseState) -> dict[str, int]:
    """Count failed samples by kind, leaving out kinds that did not occur."""
    return {str(kind): count for kind, count in sorted(case_state.failures().items()) if count}
