"""Measure false alarms and power of gates on 164 cases.

Rivals are shown as they are meant to be used, and once more with their threshold moved until they raise as
many false alarms as our one-shot gate does on the same kind of cases: an advantage nobody has in practice.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from perf.simulations.gate_draws import SCENARIOS, Comparisons, compare
from perf.simulations.gate_rules import OURS, RIVALS, Outcome, Rival
from perf.simulations.populations import GATE_POPULATIONS, Floats, Population
from perf.simulations.side_by_side import side_by_side
from perf.simulations.study import Row, Study, markdown_table, number, percent

SAMPLES = (1, 3, 5, 10)
NOTE = (
    "164 cases; a broken case passed 90 % or more before and never passes now. Under `no change` every "
    "alarm is false. `(equal false alarms)`: the rival's threshold moved, separately for each table, until "
    "it raises no more false alarms than our one-shot gate; nobody can do that in practice, since it takes "
    "thousands of comparisons known to be without a change. `ours, confirm` draws the samples shown in "
    "addition, 10 in each run for up to 20 suspicious cases. evalsig and NeMo Evaluator, where shown, saw "
    "300 of the comparisons."
)
QUIET = "no change"
EQUALISED = " (equal false alarms)"
ONE_SHOT = "ours, one-shot"


class Task(NamedTuple):
    """A population by its place, samples of each case, a scenario, and how many comparisons to draw."""

    population: int
    n: int
    scenario: str
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """What every gate made of the comparisons of one scenario: our verdicts, and the scores of rivals."""

    ours: dict[str, Outcome]
    scores: dict[str, Floats]


def gate_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every gate in every population, number of samples and scenario."""
    runs = 150 if quick else 1000
    places = range(1 if quick else len(GATE_POPULATIONS))
    tasks = [Task(*setting, runs) for setting in product(places, SAMPLES, SCENARIOS)]
    found = dict(zip(tasks, side_by_side(_judged_task, tasks, rng), strict=True))
    rows: list[Row] = []
    for place, n in product(places, SAMPLES):
        judged = {
            task.scenario: one for task, one in found.items() if (task.population, task.n) == (place, n)
        }
        rows += _rows(GATE_POPULATIONS[place], n, judged)
    return [Study(title="Gates: alarms in % of comparisons", markdown=_markdown(rows), rows=rows)]


def _judged_task(task: Task, rng: np.random.Generator) -> Judged:
    return _judged(GATE_POPULATIONS[task.population], task.scenario, n=task.n, runs=task.runs, rng=rng)


def gate_rows(population: Population, *, n: int, runs: int, rng: np.random.Generator) -> list[Row]:
    """Return the alarm rates of every gate for one population and number of samples."""
    return _rows(
        population, n, {name: _judged(population, name, n=n, runs=runs, rng=rng) for name in SCENARIOS}
    )


def _judged(population: Population, scenario: str, *, n: int, runs: int, rng: np.random.Generator) -> Judged:
    many = runs * (2 if scenario == QUIET else 1)
    drawn = compare(population, SCENARIOS[scenario], n=n, runs=many, rng=rng)
    return Judged(
        ours={rule: gate(drawn) for rule, gate in OURS.items()},
        scores={rule: rival.score(_first(drawn, rival)) for rule, rival in RIVALS.items()},
    )


def _rows(population: Population, n: int, judged: Mapping[str, Judged]) -> list[Row]:
    rows: list[Row] = [
        {"rule": rule, "scenario": scenario, **_shares(one.ours[rule])}
        for rule in OURS
        for scenario, one in judged.items()
    ]
    quiet = float(judged[QUIET].ours[ONE_SHOT].failed.mean())
    for rule, rival in RIVALS.items():
        scores = {scenario: one.scores[rule] for scenario, one in judged.items()}
        equal = _equal_threshold(scores[QUIET], alarms=quiet)
        rows += _rival_rows(rule, scores, alarm_at=rival.alarm_at)
        rows += _rival_rows(rule + EQUALISED, scores, alarm_at=equal)
    return [{"population": population.name, "n": n, **row} for row in rows]


def _shares(found: Outcome) -> dict[str, float]:
    shares = {"alarms": found.failed, "passes": found.passed, "extra": found.extra}
    return {name: float(values.mean()) for name, values in shares.items()}


def _first(draws: Comparisons, rival: Rival) -> Comparisons:
    kept = slice(rival.most_runs)
    return replace(
        draws,
        before=draws.before[kept],
        after=draws.after[kept],
        first_before=draws.first_before[kept],
        first_after=draws.first_after[kept],
    )


def _equal_threshold(quiet_scores: Floats, *, alarms: float) -> float:
    """Return the largest threshold that alarms at most so often where nothing changed."""
    ordered = np.sort(quiet_scores)
    allowed = int(alarms * len(ordered))
    return float(np.nextafter(ordered[allowed], -np.inf))


def _rival_rows(rule: str, scores: dict[str, Floats], *, alarm_at: float) -> list[Row]:
    return [
        {"rule": rule, "scenario": scenario, "alarms": float((values <= alarm_at).mean()), "extra": 0.0}
        for scenario, values in scores.items()
    ]


def _markdown(rows: list[Row]) -> str:
    parts = [NOTE]
    for name, n in dict.fromkeys((row["population"], row["n"]) for row in rows):
        here = [row for row in rows if (row["population"], row["n"]) == (name, n)]
        table = markdown_table(
            ["gate", *SCENARIOS, "more samples if nothing changed", "passes if nothing changed"],
            [_line(str(rule), here) for rule in dict.fromkeys(row["rule"] for row in here)],
        )
        parts.append(f"**{name}, {n} {'sample' if n == 1 else 'samples'} per case**\n\n{table}")
    return "\n\n".join(parts)


def _line(rule: str, rows: list[Row]) -> list[str]:
    mine = {str(row["scenario"]): row for row in rows if row["rule"] == rule}
    quiet = mine[QUIET]
    passes = percent(number(quiet, "passes")) if "passes" in quiet else "-"
    alarms = [percent(number(mine[scenario], "alarms")) for scenario in SCENARIOS]
    return [rule, *alarms, f"{number(quiet, 'extra'):.0f}", passes]
