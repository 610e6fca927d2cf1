"""Say how far a subject's figures can be trusted: intervals, flakiness, ranks, the odds of a grade.

Takes counted cases and returns intervals and shares; two targets are never mixed: new cases, and a re-run.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from steelyard.analysis.case_means import pass_shares, score_shares, stop_rule
from steelyard.analysis.figures import case_costs_and_passes, case_pass_at_k, case_pass_hat_k
from steelyard.analysis.shared_cases import Name, SharedCases
from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.cases import CaseCounts, MeanSums
from steelyard.metrics.clusters import cluster_totals, cluster_values
from steelyard.metrics.flakiness import flaky_fraction, flip_rate, intraclass_correlation
from steelyard.metrics.intervals import mean_interval, rerun_interval, suite_mean_interval
from steelyard.metrics.ranking import rank_subjects
from steelyard.metrics.ratios import cost_of_pass_interval, uplift_interval
from steelyard.metrics.shares import Shares
from steelyard.metrics.stopping import StopRule
from steelyard.model.estimate import Estimate, Interval
from steelyard.model.report import Flakiness, Standing
from steelyard.model.state import CaseState
from steelyard.model.summary import CostOfPass
from steelyard.model.units import NANO_USD

FEWEST_SUBJECTS = 2  # to rank
FEWEST_CASES = 5  # with fewer, resampling the cases would make any ranking look certain


def with_pass_at_k_intervals(estimate: Estimate, subject: SubjectCases, k: int) -> Estimate:
    """Add the interval for new cases, and the one for a re-run where the samples suffice to see it."""
    if estimate.value is None:
        return estimate
    level = subject.options.level
    clusters = subject.clusters(subject.counted)
    result = [mean_interval(case_pass_at_k(subject, k), level=level, clusters=clusters)]
    if subject.options.stop_rule is None:
        again = rerun_interval(
            _counts(subject), k=k, level=level, independent=_independent(subject), clusters=clusters
        )
        result += [again] if again.target is not result[0].target else []
    return replace(estimate, intervals=tuple(result))


def with_pass_hat_k_intervals(estimate: Estimate, subject: SubjectCases, k: int) -> Estimate:
    """Add the interval for new cases."""
    if estimate.value is None:
        return estimate
    interval = mean_interval(
        case_pass_hat_k(subject, k), level=subject.options.level, clusters=subject.clusters(subject.counted)
    )
    return replace(estimate, intervals=(interval,))


def with_share_interval(
    estimate: Estimate, shares: Callable[[], Shares], subject: SubjectCases, states: Sequence[CaseState]
) -> Estimate:
    """Add the interval of a mean of shares, one of each of these cases, for new cases."""
    if estimate.value is None:
        return estimate
    interval = mean_interval(shares().values, level=subject.options.level, clusters=subject.clusters(states))
    return replace(estimate, intervals=(interval,))


def with_suites_interval(
    estimate: Estimate, subject: SubjectCases, *, weights: Mapping[str, Fraction] | None
) -> Estimate:
    """Add the interval of a mean of suite scores for new cases in these suites."""
    if estimate.value is None:
        return estimate
    suites = {name: suite.states for name, suite in subject.suites.items() if suite.states}
    rule = stop_rule(subject.options.stop_rule)
    interval = suite_mean_interval(
        [_sums(subject, states, rule) for states in suites.values()],
        weights=None if weights is None else [float(weights.get(name, 1)) for name in suites],
        level=subject.options.level,
    )
    return replace(estimate, intervals=(interval,))


def _sums(subject: SubjectCases, states: Sequence[CaseState], rule: StopRule | None) -> MeanSums:
    values, clusters = pass_shares(states, rule).values, subject.clusters(states)
    return MeanSums.of(values if clusters is None else cluster_values(values, clusters))


def _counts(subject: SubjectCases) -> CaseCounts:
    return CaseCounts.of(n=[n for n, _ in subject.counts], c=[c for _, c in subject.counts])


def _independent(subject: SubjectCases) -> CaseCounts | None:
    """Return the counts with answers that repeat counted once; None where none does."""
    if not subject.repeats:
        return None
    counts = [
        (n - repeats.samples, c - repeats.passed)
        for (n, c), repeats in zip(subject.counts, subject.repeats, strict=True)
    ]
    return CaseCounts.of(n=[n for n, _ in counts], c=[c for _, c in counts])


def with_cost_interval(cost: CostOfPass | None, subject: SubjectCases) -> CostOfPass | None:
    """Add the interval of the cost of a pass, with cases as clusters."""
    rule = stop_rule(subject.options.stop_rule) if subject.total.c else None
    if cost is None or not subject.total.n or (cost.value is None and not cost.infinite):
        return cost
    states = [state for state in subject.states if state.n or not rule]
    costs, passes = case_costs_and_passes(states, rule)
    clusters = subject.clusters(states)
    tried = subject.unit_names(state for state in subject.states if state.n)
    interval = cost_of_pass_interval(
        costs=cluster_totals(costs, clusters),
        passes=cluster_totals(passes, clusters),
        samples=subject.total.n,
        most=None
        if rule is None
        else len(states)
        / len(set(subject.unit_names(states))),  # under a rule the passes of a case are a rate
        trials=len(set(tried)),
        level=subject.options.level,
    )
    return replace(cost, interval=interval)


def uplift_of_shared_cases(
    shared: Sequence[tuple[CaseState, CaseState]], rule: StopRule | None, subject: SubjectCases
) -> Interval | None:
    """Return the interval of the relative uplift over cases that a tier and the baseline have, or None."""
    clusters = subject.clusters([mine for mine, _ in shared])
    return uplift_interval(
        tier=cluster_totals(score_shares([mine for mine, _ in shared], rule).values, clusters),
        baseline=cluster_totals(score_shares([theirs for _, theirs in shared], rule).values, clusters),
        level=subject.options.level,
    )


def flakiness(subject: SubjectCases) -> Flakiness:
    """Say how much of the variation is chance within cases; a stop rule hides it."""
    if subject.options.stop_rule is not None:
        return Flakiness(flip_rate=None, icc=None, flaky_fraction=None)
    present = [state for state in subject.states if state.n]
    result = CaseCounts.of(n=[state.n for state in present], c=[state.c for state in present])
    return Flakiness(
        flip_rate=flip_rate(result),
        icc=intraclass_correlation(result),
        flaky_fraction=flaky_fraction(result),
    )


def ranking(
    subjects: Sequence[SubjectCases], shared: SharedCases, *, refusing: Collection[Name] = ()
) -> list[Standing | None]:
    """Rank the subjects over the cases that all of them have evidence for; not where a stop rule decided.

    In the cases named by `refusing`, refusals are the passes, as they are in a matrix and a comparison.
    """
    if any(subject.options.stop_rule is not None for subject in subjects):
        return [None] * len(subjects)
    if len(subjects) < FEWEST_SUBJECTS or len(shared.names) < FEWEST_CASES:
        return [None] * len(subjects)
    ranked_subjects = rank_subjects(
        [CaseCounts.of(n=[s.n for s in row], c=_right(row, set(refusing))) for row in shared.rows],
        subjects[0].unit_names(shared.rows[0]),
        costs=_costs(shared.rows),
        level=subjects[0].options.level,
    )
    return [
        Standing(
            rank=index.rank.rank,
            rank_low=index.rank.low,
            rank_high=index.rank.high,
            in_top_set=index.in_top_set,
            on_front=index.on_front,
            is_dominated=index.is_dominated,
        )
        for index in ranked_subjects
    ]


def _right(row: Sequence[CaseState], refusing: Collection[Name]) -> list[int]:
    """Return how many samples of each case ended as they should."""
    if not refusing:
        return [state.c for state in row]
    return [state.n_refusal if (state.suite, state.case) in refusing else state.c for state in row]


def _costs(rows: Sequence[Sequence[CaseState]]) -> list[list[float]] | None:
    """Return the mean cost of a sample of each case, or None unless all are known."""
    if any(state.n_unpriced or not state.cost_n for row in rows for state in row):
        return None
    return [[state.cost_sum / (state.cost_n * NANO_USD) for state in row] for row in rows]
