"""Find the cheapest way to a pass over all cases: each goes to the subject that solves it most cheaply."""

from collections.abc import Callable, Iterator, Sequence

from steelyard.analysis.shared_cases import SharedCases
from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.frontier import Ratio, frontier_of_ratios, near_cheapest
from steelyard.model.report_runs import Frontier
from steelyard.model.state import CaseState
from steelyard.model.units import NANO_USD

FEWEST_SUBJECTS = 2  # with one, the frontier is its own cost of pass

Row = Sequence[CaseState]  # the shared cases, as one subject answered them
Ratios = tuple[list[int], list[int]]  # a numerator for each case, and a denominator, 0 where it is infinite


def frontier(subjects: Sequence[SubjectCases], shared: SharedCases) -> Frontier | None:
    """Return the frontier over the cases that all subjects have evidence for.

    None without their costs, and where a stop rule decided how often a case was drawn.
    """
    if any(subject.options.stop_rule is not None for subject in subjects):
        return None  # pass rates as they were seen are biased then
    rows = shared.rows
    if len(subjects) < FEWEST_SUBJECTS or not shared.names or not all(map(_is_priced, rows)):
        return None
    expert = subjects[0].options.expert_usd
    seen = frontier_of_ratios(_cheapest(rows, _as_seen), human_cost=expert)
    smoothed = frontier_of_ratios(_cheapest(rows, _smoothed), human_cost=expert)
    return Frontier(
        value=seen.value,
        smoothed=smoothed.value,
        infinite=seen.infinite,
        expert_usd=None if expert is None else float(expert),
        cases=seen.problems,
        capped=seen.capped,
        unsolved=sum(not any(passes) for passes in zip(*([s.c for s in row] for row in rows), strict=True)),
    )


def _cheapest(rows: Sequence[Row], costs: Callable[[Row], Ratios]) -> Iterator[list[Ratio]]:
    """Give for each case the costs of those subjects that may be the cheapest, in their order."""
    above, below = zip(*map(costs, rows), strict=True)
    for index, subjects in enumerate(near_cheapest(above, below)):
        yield [(above[subject][index], below[subject][index]) for subject in subjects]


def _is_priced(row: Row) -> bool:
    return all(state.cost_n and not state.n_unpriced for state in row)


def _as_seen(row: Row) -> Ratios:
    """Return the mean cost of each case divided by the pass rate c / n."""
    return [s.cost_sum * s.n for s in row], [s.cost_n * s.c * NANO_USD for s in row]


def _smoothed(row: Row) -> Ratios:
    """Return the mean cost of each case divided by (c + 1/2) / (n + 1): half a pass in one sample more."""
    above = [s.cost_sum * (2 * s.n + 2) for s in row]
    return above, [s.cost_n * (2 * s.c + 1) * NANO_USD for s in row]
