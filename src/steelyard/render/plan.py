"""Render sample plans as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from steelyard.model.plan import SamplePlan
from steelyard.render.words import counted


def plans_as_text(plans: Sequence[SamplePlan]) -> str:
    """Return a sentence and a table for each plan."""
    return "\n".join(_text(plan) for plan in plans)


def _text(plan: SamplePlan) -> str:
    demand, drop = plan.demand, f"{100 * plan.demand.drop:g} points"
    how = "by a formula" if plan.chance is None else "by simulation"
    power = 100 * (plan.chance or demand.power)
    rows = "".join(
        f"{step:>17}  {100 * chances.spread:>{len(drop) + 3}.0f} %  {100 * chances.one_case:>13.0f} %\n"
        for step, chances in plan.chances.items()
    )
    samples = counted(plan.samples, "sample")
    return (
        f"{plan.subject}: {samples} of each of the {plan.cases} cases, in both runs, "
        f"detect a drop of {drop} over all cases in about {power:.0f} % of comparisons, {how} "
        f"(false alarms at most {100 * demand.alpha:g} %{_sharing(plan)}).\n"
        f"How often the gate detects a drop:\n"
        f"samples of a case  {drop} down  one broken case\n{rows}"
    )


def _sharing(plan: SamplePlan) -> str:
    """Return the number of tests that share the false alarm rate, if there are several."""
    return f", shared by {plan.tests} tests" if plan.tests > 1 else ""


def plans_as_json(plans: Sequence[SamplePlan]) -> str:
    """Return plans as the JSON that docs/reference/gate-and-plan-json.md describes."""
    listed = [
        {
            "subject": plan.subject,
            "cases": plan.cases,
            "noise": plan.noise,
            **asdict(plan.demand),
            "tests": plan.tests,
            "samples": plan.samples,
            "chance": plan.chance,
            "chances": {str(step): asdict(chances) for step, chances in plan.chances.items()},
        }
        for plan in plans
    ]
    return json.dumps({"schema": "steelyard.plan/2", "plans": listed}, indent=2, allow_nan=False) + "\n"
