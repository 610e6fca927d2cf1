"""Exclude cases from the plan of a run."""

from collections.abc import Collection
from dataclasses import replace

from steelyard.model.run import ExcludedCase
from steelyard.runner.plan import RunPlan, run_cases
from steelyard.runner.shards import without_empty_suites


def exclude_cases(plan: RunPlan, excluded: Collection[ExcludedCase]) -> RunPlan:
    """Return the plan without these cases, listed as excluded."""
    names = {(excluded_case.suite, excluded_case.case) for excluded_case in excluded}
    cases = tuple(case for case in plan.eval_set.cases if (case.suite, case.id) not in names)
    if len(cases) == len(plan.eval_set.cases):
        return plan
    part = without_empty_suites(replace(plan.eval_set, cases=cases))
    return replace(plan, eval_set=part, cases=run_cases(cases), excluded=tuple(excluded))
