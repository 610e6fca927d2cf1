"""Plan a run: how many samples it takes to see a drop, and how to share a budget among the cases."""

from collections.abc import Mapping

from steelyard.analysis.plan import (
    DEFAULT_DEMAND,
    allocate_samples,
    plan_samples,
    plan_samples_by_profile,
)
from steelyard.app.run_handle import ReportSource, report_of
from steelyard.errors import UserError
from steelyard.model.plan import CASES, Demand, SamplePlan


def plan(
    past: ReportSource | None = None,
    *,
    profile: str | None = None,
    cases: int = CASES,
    demand: Demand = DEFAULT_DEMAND,
) -> tuple[SamplePlan, ...]:
    """Return how many samples of each case show a drop: from a past report, or from a profile."""
    if (past is None) == (profile is None):
        raise UserError("say what to plan from: `past=REPORT`, or `profile=NAME` with `cases=N`")
    if past is not None:
        return plan_samples(report_of(past), demand)
    return (plan_samples_by_profile(str(profile), cases=cases, demand=demand),)


def allocate(
    past: ReportSource, *, budget: int, model: str | None = None, tier: str | None = None
) -> Mapping[tuple[str, str], int]:
    """Share a budget of samples among the cases of a past report; the keys are suite and case."""
    return allocate_samples(report_of(past), budget=budget, model=model, tier=tier)
