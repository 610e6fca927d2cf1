"""Find the cheapest way to a pass over all cases: each goes to the subject that solves it most cheaply."""

from collections.abc import Sequence

from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.frontier import Ratio, frontier_of_ratios
from steelyard.model.report_runs import Frontier
from steelyard.model.state import CaseState
from steelyard.model.units import NANO_USD

FEWEST_SUBJECTS = 2  # with one, the frontier is its own cost of pass

Row = Sequence[CaseState]  # one case, as each subject answered it


def frontier(subjects: Sequence[SubjectCases]) -> Frontier | None:
    """Return the frontier over the cases that all subjects have evidence for.

    None without their costs, and where a stop rule decided how often a case was drawn.
    """
    if any(subject.options.stop_rule is not None for subject in subjects):
        return None  # pass rates as they were seen are biased then
    rows = _shared(subjects)
    if len(subjects) < FEWEST_SUBJECTS or not rows or not all(map(_is_priced, rows)):
        return None
    expert = subjects[0].options.expert_usd
    seen = frontier_of_ratios((map(_as_seen, row) for row in rows), human_cost=expert)
    smoothed = frontier_of_ratios((map(_smoothed, row) for row in rows), human_cost=expert)
    return Frontier(
        value=seen.value,
        smoothed=smoothed.value,
        infinite=seen.infinite,
        expert_usd=None if expert is None else float(expert),
        cases=seen.problems,
        capped=seen.capped,
        unsolved=sum(not any(state.c for state in row) for row in rows),
    )


def _shared(subjects: Sequence[SubjectCases]) -> list[Row]:
    tables = [{(one.suite, one.case): one for one in subject.states if one.n} for subject in subjects]
    keys = set.intersection(*(set(table) for table in tables)) if tables else ()
    return [[table[key] for table in tables] for key in keys]


def _is_priced(row: Row) -> bool:
    return all(state.cost_n and not state.n_unpriced for state in row)


def _as_seen(state: CaseState) -> Ratio | None:
    """Return the mean cost divided by the pass rate c / n."""
    if not state.c:
        return None
    return state.cost_sum * state.n, state.cost_n * NANO_USD * state.c


def _smoothed(state: CaseState) -> Ratio:
    """Return the mean cost divided by (c + 1/2) / (n + 1): half a pass in one sample more."""
    return state.cost_sum * (2 * state.n + 2), state.cost_n * NANO_USD * (2 * state.c + 1)
