"""Compute the samples needed to detect a drop, and allocate a sample budget."""

from collections.abc import Mapping

from steelyard.analysis.plan import (
    DEFAULT_DEMAND,
    allocate_samples,
    plan_samples,
    plan_samples_by_profile,
)
from steelyard.app.baseline import ReportSource, report_of
from steelyard.errors import UserError
from steelyard.model.plan import CASES, Demand, SamplePlan


def plan(
    past: ReportSource | None = None,
    *,
    profile: str | None = None,
    cases: int = CASES,
    demand: Demand = DEFAULT_DEMAND,
) -> tuple[SamplePlan, ...]:
    """Compute the samples per case that detect a drop.

    Args:
        past: A past report, run or outcome file.
        profile: Pass rates without a past run: `u-shaped`, `mostly-deterministic` or `reliable`.
        cases: The number of cases of the profile.
        demand: Drop, power and error rate.

    Raises:
        UserError: Neither or both of `past` and `profile` are given.
    """
    if (past is None) == (profile is None):
        raise UserError("nothing to plan from: add `past=REPORT`, or `profile=NAME` with `cases=N`")
    if past is not None:
        return plan_samples(report_of(past), demand)
    return (plan_samples_by_profile(str(profile), cases=cases, demand=demand),)


def allocate(
    past: ReportSource, *, budget: int, model: str | None = None, tier: str | None = None
) -> Mapping[tuple[str, str], int]:
    """Allocate a sample budget to a past report's cases.

    Args:
        past: A past report, run or outcome file.
        budget: The total number of samples.
        model: Use the outcomes of this model only.
        tier: Use the outcomes of this tier only.

    Returns:
        Samples by suite and case.
    """
    return allocate_samples(report_of(past), budget=budget, model=model, tier=tier)
