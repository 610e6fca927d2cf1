"""Compare the tiers of one model: uplift over the baseline tier, and how far apart the tiers are."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard.analysis import figures
from steelyard.analysis.case_means import fixed_only, stop_rule
from steelyard.analysis.subjects import SubjectCases
from steelyard.analysis.uncertainty import uplift_of_shared_cases
from steelyard.metrics.cost import cost_delta
from steelyard.metrics.stopping import StopRule
from steelyard.metrics.tiers import (
    cost_variance,
    pass_rate_variance,
    score_variance,
    tier_difference,
    tier_uplift,
)
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.options import ReportOptions
from steelyard.model.report import SubjectSummary, TierSpread, Uplift
from steelyard.model.report_runs import RunTierSpread
from steelyard.model.state import CaseState, SubjectKey

Pairs = Sequence[tuple[CaseState, CaseState]]  # a case as a tier answered it, and as the baseline tier did

OTHER_CASES = Estimate.undefined(Reason.OTHER_CASES)
NO_SHARED_CASES = Estimate.undefined(Reason.NO_CASES, "the tier shares no case with the baseline tier")


def with_uplifts(
    summaries: Sequence[SubjectSummary], subjects: Sequence[SubjectCases]
) -> tuple[SubjectSummary, ...]:
    """Compare every tier with the baseline tier of the same model, where a model has several."""
    lined_up = {subject.key: subject for subject in subjects}
    by_model: defaultdict[str, dict[str, SubjectSummary]] = defaultdict(dict)
    for summary in summaries:
        by_model[summary.model][summary.tier] = summary
    return tuple(_with_uplift(summary, by_model[summary.model], lined_up) for summary in summaries)


def _with_uplift(
    summary: SubjectSummary, tiers: Mapping[str, SubjectSummary], subjects: Mapping[SubjectKey, SubjectCases]
) -> SubjectSummary:
    subject = subjects[SubjectKey(summary.model, summary.tier)]
    baseline_tier = subject.options.baseline_tier
    if len(tiers) == 1 or summary.tier == baseline_tier:
        return summary
    baseline = subjects.get(SubjectKey(summary.model, baseline_tier))
    if baseline is None:
        gap = Estimate.undefined(Reason.BASELINE_MISSING)
        return replace(
            summary, uplift=Uplift(baseline_tier=baseline_tier, of_median=gap, of_mean=gap, points=gap)
        )
    shared = _shared_cases(subject, baseline)
    uplift = Uplift(
        baseline_tier=baseline_tier,
        of_median=_of_median(summary, tiers[baseline_tier], are_same=_have_same_cases(subject, baseline)),
        of_mean=_of_mean(shared, subject),
        points=_points(shared, subject.options),
        cases=len(shared),
    )
    return replace(summary, uplift=uplift)


def _shared_cases(subject: SubjectCases, baseline: SubjectCases) -> Pairs:
    """Return the cases that both tiers have evidence for, each as both answered it."""
    mine, theirs = _seen(subject), _seen(baseline)
    return [(mine[key], theirs[key]) for key in sorted(mine.keys() & theirs.keys())]


def _have_same_cases(subject: SubjectCases, baseline: SubjectCases) -> bool:
    return _seen(subject).keys() == _seen(baseline).keys()


def _seen(subject: SubjectCases) -> dict[tuple[str, str], CaseState]:
    return {(state.suite, state.case): state for state in subject.states if state.n}


def _of_median(summary: SubjectSummary, baseline: SubjectSummary, *, are_same: bool) -> Estimate:
    mine, theirs = summary.spreads.score, baseline.spreads.score
    if Reason.OPTIONAL_STOPPING in {mine.reason, theirs.reason}:
        return fixed_only()
    return tier_uplift(tier=mine.median, baseline=theirs.median) if are_same else OTHER_CASES


def _of_mean(shared: Pairs, subject: SubjectCases) -> Estimate:
    """Return how much better the mean score is, with its interval, both over the shared cases."""
    rule = stop_rule(subject.options.stop_rule)
    gap, tier, baseline = _gap(shared, rule)
    if gap is not None:
        return gap
    estimate = tier_uplift(tier=tier.value, baseline=baseline.value)
    if estimate.value is None:
        return estimate
    interval = uplift_of_shared_cases(shared, rule, subject)
    return Estimate.of(estimate.value, *([interval] if interval else []))


def _points(shared: Pairs, options: ReportOptions) -> Estimate:
    gap, tier, baseline = _gap(shared, stop_rule(options.stop_rule))
    return tier_difference(tier=tier.value, baseline=baseline.value) if gap is None else gap


def _gap(shared: Pairs, rule: StopRule | None) -> tuple[Estimate | None, Estimate, Estimate]:
    """Return why the shared cases have no mean scores, or None, and the mean scores."""
    tier, baseline = (figures.mean_score([pair[side] for pair in shared], rule) for side in (0, 1))
    if not shared:
        return NO_SHARED_CASES, tier, baseline
    if baseline.value is None:
        return Estimate.undefined(Reason.BASELINE_MISSING), tier, baseline
    return (tier if tier.value is None else None), tier, baseline


def with_run_uplifts(
    summaries: Sequence[SubjectSummary], subjects: Sequence[SubjectCases], baseline_tier: str
) -> tuple[SubjectSummary, ...]:
    """Add by how much the median score over the runs of a tier is better than the baseline tier's."""
    lined_up = {subject.key: subject for subject in subjects}
    tiers = Counter(summary.model for summary in summaries)
    medians = {
        summary.model: summary.runs.spreads.score.median
        for summary in summaries
        if summary.tier == baseline_tier and summary.runs is not None
    }

    def with_uplift(subject_summary: SubjectSummary) -> SubjectSummary:
        if (
            subject_summary.runs is None
            or subject_summary.tier == baseline_tier
            or tiers[subject_summary.model] == 1
        ):
            return subject_summary
        baseline = lined_up.get(SubjectKey(subject_summary.model, baseline_tier))
        uplift = tier_uplift(
            tier=subject_summary.runs.spreads.score.median, baseline=medians.get(subject_summary.model)
        )
        if baseline and not _have_same_cases(
            lined_up[SubjectKey(subject_summary.model, subject_summary.tier)], baseline
        ):
            uplift = OTHER_CASES
        return replace(subject_summary, runs=replace(subject_summary.runs, uplift_of_median=uplift))

    return tuple(map(with_uplift, summaries))


def tier_spreads(summaries: Sequence[SubjectSummary]) -> tuple[TierSpread, ...]:
    """Return how far apart the tiers of each model are."""
    by_model: defaultdict[str, list[SubjectSummary]] = defaultdict(list)
    for summary in summaries:
        by_model[summary.model].append(summary)
    return tuple(_tier_spread(model, result) for model, result in sorted(by_model.items()) if len(result) > 1)


def _tier_spread(model: str, summaries: Sequence[SubjectSummary]) -> TierSpread:
    passes = [summary.spreads.pass_rate.median for summary in summaries]
    known_passes = [value for value in passes if value is not None]
    costs = _all_known([summary.spreads.cost_usd.median for summary in summaries])
    scores = _all_known([summary.spreads.score.median for summary in summaries])
    is_stopped = any(
        subject_summary.spreads.pass_rate.reason is Reason.OPTIONAL_STOPPING for subject_summary in summaries
    )
    no_passes, no_costs = (
        (Reason.OPTIONAL_STOPPING,) * 2 if is_stopped else (Reason.NO_SAMPLES, Reason.NOT_MEASURED)
    )
    return TierSpread(
        model=model,
        tiers=tuple(summary.tier for summary in summaries),
        pass_rate_variance=figures.estimate(pass_rate_variance(known_passes), no_passes),
        cost_variance=figures.estimate(cost_variance(costs), no_costs),
        cost_delta_usd=figures.estimate(cost_delta(costs), no_costs),
        over_runs=_over_runs(summaries),
        score_variance=figures.estimate(score_variance(scores), no_costs),
    )


def _all_known(medians: Sequence[float | None]) -> list[float]:
    """Return the medians if every tier has one: without it, the others would look more alike."""
    known = [median for median in medians if median is not None]
    return known if len(known) == len(medians) else []


def _over_runs(summaries: Sequence[SubjectSummary]) -> RunTierSpread | None:
    """Return how far apart the medians over runs are; None unless every tier has runs."""
    spreads = [summary.runs.spreads for summary in summaries if summary.runs is not None]
    passes = [spread.pass_rate.median for spread in spreads if spread.pass_rate.median is not None]
    if len(passes) < len(summaries):
        return None
    costs = _all_known([spread.cost_usd.median for spread in spreads])
    scores = _all_known([spread.score.median for spread in spreads])
    return RunTierSpread(
        pass_rate_variance=figures.estimate(pass_rate_variance(passes), Reason.NO_SAMPLES),
        cost_variance=figures.estimate(cost_variance(costs), Reason.NOT_MEASURED),
        cost_delta_usd=figures.estimate(cost_delta(costs), Reason.NOT_MEASURED),
        score_variance=figures.estimate(score_variance(scores), Reason.NOT_MEASURED),
    )
