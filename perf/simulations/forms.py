"""Measure every form of the gate by its two promises: false alarms, and passes where the drop is the margin.

Passes and scores, at once, confirmed and in rounds; a policy of three requirements; and a gate that
judges against three older baselines as well. Each promises at most alpha of both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perf.simulations.gate_draws import FRESH, points_down
from perf.simulations.populations import GATE_POPULATIONS, POPULATIONS, Floats, Population
from perf.simulations.side_by_side import side_by_side
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.gates import decide_once
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.requirements import decide_amounts, decide_scores
from steelyard.metrics.sequential_gate import anytime_decision, with_round
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateRule, Verdict

RULE = GateRule()
TESTS = 10  # of each sample; its score is the share of them that pass
OLDER = 3
SAMPLES = (1, 3, 5, 10)
SIX = (*GATE_POPULATIONS, POPULATIONS[0], POPULATIONS[3], POPULATIONS[6])
# Population, cases and samples of each: every population and number of samples, and other numbers of cases.
SETTINGS = (
    *((population, 164, n) for population, n in product(SIX, SAMPLES)),
    *((population, cases, 5) for population, cases in product(GATE_POPULATIONS, (30, 500))),
)
# A form that judges several times takes up to a second for a verdict.
FEWER_SETTINGS = (
    *((population, 164, n) for population, n in product(GATE_POPULATIONS, SAMPLES[:3])),
    *((population, 30, 5) for population in GATE_POPULATIONS),
)
QUICK_SETTINGS = ((SIX[0], 30, 1), (SIX[0], 30, 3))
RUNS, FEWER_RUNS, QUICK_RUNS = 300, 200, 40
TITLE = "Forms of the gate: its two promises"
NOTE = (
    "In % of comparisons: fails where nothing changed, and passes where the true drop is the margin of 5 "
    "points, spread over all cases. Both are at most 5 %. A policy requires passes of all cases, passes of "
    "half of them, and the cost."
)

Points = NDArray[np.int64]  # of each case (row) and sample (column), out of TESTS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """The true rates of cases before and after, and how many samples are drawn of each."""

    before: Floats
    after: Floats
    n: int
    rng: np.random.Generator

    def draw(self, p: Floats, n: int | None = None) -> Points:
        """Return the points of a run; a sample passes all tests or none, so that passes have the rate p."""
        passed = self.rng.random((len(p), n or self.n)) < p[:, None]
        return np.where(passed, TESTS, 0)

    def draw_scores(self, p: Floats) -> Points:
        """Return the points of a run whose tests pass one by one."""
        return self.rng.binomial(TESTS, np.clip(p, 0, 1)[:, None], (len(p), self.n))


def runs_of(before: Points, after: Points, *, scored: bool = False) -> PairedRuns:
    """Return what a gate is given."""
    counts = [CaseCounts.of(n=one.shape[1], c=(one == TESTS).sum(axis=1)) for one in (before, after)]
    scores = (_sums(before), _sums(after)) if scored else None
    return PairedRuns(baseline=counts[0], current=counts[1], scores=scores)


def _sums(points: Points) -> CaseSums:
    scores = points / TESTS
    return CaseSums.of(
        n=[points.shape[1]] * len(points), total=scores.sum(axis=1), total_sq=(scores**2).sum(axis=1)
    )


def one_shot(pair: Pair) -> Verdict:
    """Judge passes once."""
    return decide_once(runs_of(pair.draw(pair.before), pair.draw(pair.after)), rule=RULE).verdict


def of_scores(pair: Pair) -> Verdict:
    """Judge passes and scores once."""
    runs = runs_of(pair.draw_scores(pair.before), pair.draw_scores(pair.after), scored=True)
    return decide_once(runs, rule=RULE).verdict


def scores_alone(pair: Pair) -> Verdict:
    """Judge the requirement of a policy on scores."""
    runs = runs_of(pair.draw_scores(pair.before), pair.draw_scores(pair.after), scored=True)
    return decide_scores(runs, rule=RULE).verdict


def confirmed(pair: Pair) -> Verdict:
    """Judge passes, and draw suspicious cases again."""
    plan = confirm_plan(runs_of(pair.draw(pair.before), pair.draw(pair.after)), rule=RULE)
    rows = np.array(plan.cases, dtype=np.int64)
    fresh = runs_of(pair.draw(pair.before[rows], FRESH), pair.draw(pair.after[rows], FRESH))
    return confirm_decision(plan, fresh.baseline, fresh.current, rule=RULE).verdict


def in_rounds(pair: Pair) -> Verdict:
    """Judge round by round of single samples, as often as there are samples."""
    before, after = pair.draw(pair.before), pair.draw(pair.after)
    seen = PairsSeen()
    for place in range(pair.n):
        runs = runs_of(before[:, [place]], after[:, [place]])
        seen = with_round(seen, runs, margin=RULE.margin)
        verdict = anytime_decision(runs, seen, rule=RULE).verdict
        if verdict is not Verdict.INCONCLUSIVE:
            return verdict
    return Verdict.INCONCLUSIVE


def policy(pair: Pair) -> Verdict:
    """Judge three requirements, each with a third of alpha."""
    rule = replace(RULE, alpha=RULE.alpha / 3)
    before, after = pair.draw(pair.before), pair.draw(pair.after)
    half = len(before) // 2
    costs = [pair.rng.lognormal(0.0, 0.5, len(before)) for _ in range(2)]
    runs = runs_of(before, after)
    return _all_of(
        [
            decide_once(runs, rule=rule).verdict,
            decide_once(runs_of(before[:half], after[:half]), rule=rule).verdict,
            decide_amounts(runs, *(list(map(float, one)) for one in costs), margin=0.5, rule=rule).verdict,
        ]
    )


def with_history(pair: Pair) -> Verdict:
    """Judge against the baseline and three older ones of the same rates, each with a fourth of alpha."""
    rule = replace(RULE, alpha=RULE.alpha / (1 + OLDER))
    after = pair.draw(pair.after)
    runs = [runs_of(pair.draw(pair.before), after) for _ in range(1 + OLDER)]
    return _all_of([decide_once(one, rule=rule).verdict for one in runs])


def _all_of(verdicts: Sequence[Verdict]) -> Verdict:
    for verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS


FORMS: dict[str, Callable[[Pair], Verdict]] = {
    "one-shot": one_shot,
    "one-shot, with scores": of_scores,
    "score alone": scores_alone,
    "confirm": confirmed,
    "anytime": in_rounds,
    "policy": policy,
    "history": with_history,
}


SEVERAL = frozenset({"policy", "history"})  # forms that judge several times


class Task(NamedTuple):
    """A form, the setting that it is measured in, and how often."""

    form: str
    setting: tuple[int, int, int]  # the place of the population among the six, cases, samples
    runs: int


def form_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every form in every setting."""
    rows = side_by_side(_row, [task for form in FORMS for task in _tasks(form, quick=quick)], rng)
    return [Study(title=TITLE, markdown=_markdown(rows), rows=rows)]


def _tasks(form: str, *, quick: bool) -> Iterator[Task]:
    runs, settings = (FEWER_RUNS, FEWER_SETTINGS) if form in SEVERAL else (RUNS, SETTINGS)
    if quick:
        runs, settings = QUICK_RUNS, QUICK_SETTINGS
    for population, cases, n in settings:
        yield Task(form, (SIX.index(population), cases, n), runs)


def _row(task: Task, rng: np.random.Generator) -> Row:
    place, cases, n = task.setting
    return form_row(task.form, SIX[place], cases=cases, n=n, runs=task.runs, rng=rng)


def form_row(  # noqa: PLR0913  # a form, and the setting that it is measured in
    form: str, population: Population, *, cases: int, n: int, runs: int, rng: np.random.Generator
) -> Row:
    """Return how often a form fails without a change, and passes at a drop of the margin."""
    p = population.draw(rng, (runs, cases))
    lower = np.clip(points_down(RULE.margin)(p, rng), 0, 1)
    judge = FORMS[form]
    quiet = [judge(Pair(before=row, after=row, n=n, rng=rng)) for row in p]
    dropped = [judge(Pair(before=row, after=low, n=n, rng=rng)) for row, low in zip(p, lower, strict=True)]
    return {
        "form": form,
        "population": population.name,
        "cases": cases,
        "n": n,
        "runs": runs,
        "alarms": quiet.count(Verdict.FAIL) / runs,
        "passes": dropped.count(Verdict.PASS) / runs,
        "power": dropped.count(Verdict.FAIL) / runs,
    }


def _markdown(rows: list[Row]) -> str:
    columns = [
        "form",
        "population",
        "cases",
        "n",
        "false alarms %",
        "passes at the margin %",
        "fails there %",
    ]
    lines = [
        [
            *(str(row[key]) for key in ("form", "population", "cases", "n")),
            *(percent(number(row, key)) for key in ("alarms", "passes", "power")),
        ]
        for row in rows
    ]
    return f"{NOTE}\n\n{markdown_table(columns, lines)}"
