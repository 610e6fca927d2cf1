"""Write plans of samples, as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from steelyard.model.plan import SamplePlan
from steelyard.render.words import counted


def plans_as_text(plans: Sequence[SamplePlan]) -> str:
    """Return plans as sentences, each with a table."""
    return "\n".join(_text(plan) for plan in plans)


def _text(found: SamplePlan) -> str:
    demand, drop = found.demand, f"{100 * found.demand.drop:g} points"
    how = "by a formula" if found.chance is None else "by simulation"
    seen = 100 * (found.chance or demand.power)
    rows = "".join(
        f"{step:>17}  {100 * chances.spread:>{len(drop) + 3}.0f} %  {100 * chances.one_case:>13.0f} %\n"
        for step, chances in found.chances.items()
    )
    samples = counted(found.samples, "sample")
    return (
        f"{found.subject}: {samples} of each of the {found.cases} cases, in both runs, "
        f"show a drop of {drop} over all cases in about {seen:.0f} % of comparisons, {how} (false alarms at "
        f"most {100 * demand.alpha:g} %{_sharing(found)}).\nHow often the gate sees a drop:\n"
        f"samples of a case  {drop} down  one broken case\n{rows}"
    )


def _sharing(found: SamplePlan) -> str:
    """Say among how many tests the gate shares its false alarms, where there are several."""
    return f", shared by {found.tests} tests" if found.tests > 1 else ""


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
