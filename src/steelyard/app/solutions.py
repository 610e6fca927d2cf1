"""Take the solutions of tasks as references before a run begins."""

from collections.abc import Callable
from dataclasses import replace

from steelyard.app.run_plan import PlannedRun
from steelyard.runner.tasks.solutions import with_solutions


def with_planned_solutions(planned: PlannedRun, announce: Callable[[str], None]) -> PlannedRun:
    """Return the plan with the solutions' patches as references, unless recorded ones are there."""
    plan = planned.plan
    return replace(planned, plan=replace(plan, eval_set=with_solutions(plan.eval_set, announce)))
