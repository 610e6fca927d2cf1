"""Work out what each run of a subject came to, and how its runs spread: the document of seed 002.

A run is one sample of every case. With one case only, that is a sample.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from steelyard.analysis.grading import grade_of_runs
from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.cost import cost_of_pass_statistics, group_cost_of_pass
from steelyard.metrics.summaries import NO_STATISTICS, statistics
from steelyard.model.estimate import Reason
from steelyard.model.options import Errors
from steelyard.model.report_runs import RunFigures, RunSpreads, RunsSummary
from steelyard.model.state import Evidence, RunState
from steelyard.model.summary import CostOfPass, Statistics
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD

Exact = Fraction | None


def runs_summary(subject: SubjectCases, evidence: Evidence) -> RunsSummary | None:
    """Return the runs of a subject; None if the input does not say which samples belong together."""
    states = evidence.runs.get(subject.key, ())
    if not states or subject.options.stop_rule is not None:
        return None
    runs = [_Run(state, subject) for state in states]
    whole = [run for run in runs if run.is_whole]
    scores = [run.score for run in whole]
    return RunsSummary(
        runs=tuple(run.figures() for run in runs),
        whole=len(whole),
        spreads=RunSpreads(
            pass_rate=_spread(whole, lambda run: run.pass_rate),
            impl_rate=_spread(whole, lambda run: run.impl_rate),
            score=_spread(whole, lambda run: run.score),
            cost_usd=_spread(whole, lambda run: run.cost_usd),
            duration_s=_spread(whole, lambda run: run.duration_s),
            cost_of_pass=_costs_of_pass(whole),
        ),
        grade=grade_of_runs([score for score in scores if score is not None], len(whole), subject),
    )


class _Run:
    """The exact figures of one run."""

    def __init__(self, state: RunState, subject: SubjectCases) -> None:
        self._state, self._level = state, subject.options.level
        counts_errors = subject.options.errors is Errors.FAIL
        self._n = state.n + (state.n_error if counts_errors else 0)
        self.is_whole = self._n == len(subject.states)
        # A missing case has no sample in any run; where it counts as failed, it does so in every run.
        self._cases = self._n + len(subject.counted) - len(subject.states)
        self.pass_rate = Fraction(state.c, self._cases) if self._cases else None
        self.impl_rate = _share(state.impl_sum, MICRO_POINTS * state.n, is_known=state.impl_n == state.n)
        score_n = MICRO_POINTS * self._cases
        self.score = _share(state.score_sum, score_n, is_known=state.score_n >= state.n)
        # A sum over the cases is known if its part of each is, that of an error too where it counts; a cost
        # that an error happens to have makes up for no other.
        lacking = self._n - state.cost_n if counts_errors else state.n_unpriced
        is_priced = self._n > 0 and state.cost_n > 0 and not lacking
        self.cost_usd = _share(state.cost_sum, NANO_USD, is_known=is_priced)
        self.duration_s = _share(state.latency_sum, MICROSECONDS, is_known=state.latency_n == self._n > 0)

    def cost_of_pass(self) -> Exact:
        """The cost of a pass; None if it is infinite, or the cost unknown."""
        cost, passed = self.cost_usd, self._state.c
        return None if cost is None or not passed else cost / passed

    def figures(self) -> RunFigures:
        """Return the figures, each rounded once."""
        return RunFigures(
            run=self._state.run,
            cases=self._n,
            passed=self._state.c,
            is_whole=self.is_whole,
            pass_rate=_round(self.pass_rate),
            impl_rate=_round(self.impl_rate),
            score=_round(self.score),
            cost_usd=_round(self.cost_usd),
            duration_s=_round(self.duration_s),
            cost_of_pass=self._cost_of_pass(),
        )

    def _cost_of_pass(self) -> CostOfPass | None:
        if self.cost_usd is None or not self._n:
            return None
        return group_cost_of_pass(
            total_cost=self.cost_usd, passes=self._state.c, samples=self._n, level=self._level
        )


def _share(total: int, unit: int, *, is_known: bool) -> Exact:
    return Fraction(total, unit) if is_known and unit else None


def _round(value: Exact) -> float | None:
    return None if value is None else float(value)


def _spread(runs: Sequence[_Run], of: Callable[[_Run], Exact]) -> Statistics:
    values = [value for run in runs if (value := of(run)) is not None]
    if not values:
        return replace(NO_STATISTICS, reason=Reason.NOT_MEASURED if runs else Reason.NO_SAMPLES)
    result = statistics(values)
    # The middle of the runs that happen to have a value is not that of all of them.
    return result if len(values) == len(runs) else replace(NO_STATISTICS, reason=Reason.PARTLY_MEASURED)


def _costs_of_pass(runs: Sequence[_Run]) -> Statistics:
    if not runs or any(run.cost_usd is None for run in runs):
        return replace(NO_STATISTICS, reason=Reason.NOT_MEASURED if runs else Reason.NO_SAMPLES)
    return cost_of_pass_statistics(run.cost_of_pass() for run in runs)
