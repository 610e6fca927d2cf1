"""Compare the tiers of one model: uplift over the baseline tier, and how far apart the tiers are."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard.analysis import figures
from steelyard.analysis.subjects import SubjectCases
from steelyard.analysis.uncertainty import uplift_of_shared_cases
from steelyard.metrics.cost import cost_delta
from steelyard.metrics.tiers import cost_variance, pass_rate_variance, tier_difference, tier_uplift
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import SubjectSummary, TierSpread, Uplift
from steelyard.model.report_runs import RunTierSpread
from steelyard.model.state import SubjectKey


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
    baseline = tiers.get(baseline_tier)
    median = baseline.spreads.score.median if baseline else None
    mean = baseline.score.value if baseline else None
    relative = tier_uplift(tier=summary.score.value, baseline=mean)
    if baseline is not None and relative.value is not None:
        interval = uplift_of_shared_cases(subject, subjects[SubjectKey(summary.model, baseline_tier)])
        relative = Estimate.of(relative.value, *([interval] if interval else []))
    uplift = Uplift(
        baseline_tier=baseline_tier,
        of_median=tier_uplift(tier=summary.spreads.score.median, baseline=median),
        of_mean=relative,
        points=tier_difference(tier=summary.score.value, baseline=mean),
    )
    return replace(summary, uplift=uplift)


def with_run_uplifts(summaries: Sequence[SubjectSummary], baseline_tier: str) -> tuple[SubjectSummary, ...]:
    """Add by how much the median score over the runs of a tier is better than the baseline tier's."""
    several = {one.model for one in summaries if one.tier != baseline_tier}
    medians = {
        one.model: one.runs.spreads.score.median
        for one in summaries
        if one.tier == baseline_tier and one.runs is not None
    }

    def with_uplift(one: SubjectSummary) -> SubjectSummary:
        if one.runs is None or one.tier == baseline_tier or one.model not in several:
            return one
        uplift = tier_uplift(tier=one.runs.spreads.score.median, baseline=medians.get(one.model))
        return replace(one, runs=replace(one.runs, uplift_of_median=uplift))

    return tuple(map(with_uplift, summaries))


def tier_spreads(summaries: Sequence[SubjectSummary]) -> tuple[TierSpread, ...]:
    """Return how far apart the tiers of each model are."""
    by_model: defaultdict[str, list[SubjectSummary]] = defaultdict(list)
    for summary in summaries:
        by_model[summary.model].append(summary)
    return tuple(_tier_spread(model, found) for model, found in sorted(by_model.items()) if len(found) > 1)


def _tier_spread(model: str, summaries: Sequence[SubjectSummary]) -> TierSpread:
    passes = [summary.spreads.pass_rate.median for summary in summaries]
    costs = [summary.spreads.cost_usd.median for summary in summaries]
    known_passes = [value for value in passes if value is not None]
    known_costs = [value for value in costs if value is not None]
    # A tier without a cost would make the others look alike, so that one missing median voids both.
    all_costs = known_costs if len(known_costs) == len(costs) else []
    return TierSpread(
        model=model,
        tiers=tuple(summary.tier for summary in summaries),
        pass_rate_variance=figures.estimate(pass_rate_variance(known_passes), Reason.NO_SAMPLES),
        cost_variance=figures.estimate(cost_variance(all_costs), Reason.NOT_MEASURED),
        cost_delta_usd=figures.estimate(cost_delta(all_costs), Reason.NOT_MEASURED),
        over_runs=_over_runs(summaries),
    )


def _over_runs(summaries: Sequence[SubjectSummary]) -> RunTierSpread | None:
    """Return how far apart the medians over runs are; None unless every tier has runs."""
    spreads = [summary.runs.spreads for summary in summaries if summary.runs is not None]
    passes = [found.pass_rate.median for found in spreads if found.pass_rate.median is not None]
    if len(passes) < len(summaries):
        return None
    costs = [found.cost_usd.median for found in spreads if found.cost_usd.median is not None]
    all_costs = costs if len(costs) == len(summaries) else []
    return RunTierSpread(
        pass_rate_variance=figures.estimate(pass_rate_variance(passes), Reason.NO_SAMPLES),
        cost_variance=figures.estimate(cost_variance(all_costs), Reason.NOT_MEASURED),
        cost_delta_usd=figures.estimate(cost_delta(all_costs), Reason.NOT_MEASURED),
    )
