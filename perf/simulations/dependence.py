"""Measure false alarms and power where samples of a case repeat each other within a run.

In some cases all samples of a run are one answer, as at temperature 0, from a cache or of one seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from perf.simulations.gate_draws import FRESH, broken, points_down
from perf.simulations.populations import U_SHAPED, Floats, Ints, beta
from perf.simulations.side_by_side import side_by_side
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.dependence import unless_dependent
from steelyard.metrics.gates import decide_once
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.sequential_gate import anytime_decision, with_round
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateRule, Verdict

RULE = GateRule()
ROUNDS = 5
POPULATIONS = {"U-shaped": U_SHAPED, "mean .87": beta("mean .87", 8, 1.2)}
REPEATED = {"none": 0.0, "a fifth": 0.2, "half": 0.5, "all": 1.0}
TITLE = "Gates where samples repeat each other"
NOTE = (
    "Shares in %, 164 cases, 5 samples of each in both runs; of rounds, one a sample. In the "
    "repeated share of cases all samples of a run are one answer; which cases, is another draw in each run. "
    "`answers`: the digests of answers are stored, and each counts once; `counts`: only counts are known."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampled:
    """Results of cases (rows) and samples (columns), and which cases have one answer only."""

    passed: Ints
    is_repeated: np.ndarray

    def runs(self, other: "Sampled", *, samples: int, stored: bool) -> PairedRuns:
        """Pair the first samples of this run with those of another."""
        before, after = self.counts(samples, stored=stored), other.counts(samples, stored=stored)
        passes = (self.sums(before, samples), other.sums(after, samples)) if stored else None
        return PairedRuns(baseline=before, current=after, passes=passes)

    def counts(self, samples: int, *, stored: bool) -> CaseCounts:
        """Count the first samples, those with a repeated answer once if answers are stored."""
        n = np.where(self.is_repeated & stored, 1, samples)
        c = self.passed[:, :samples].sum(axis=1)
        return CaseCounts.of(n=n, c=np.where(self.is_repeated & stored, self.passed[:, 0], c))

    def sums(self, counts: CaseCounts, samples: int) -> CaseSums:
        """Return sums with the mean of all samples and as many samples as count."""
        total = counts.n * self.passed[:, :samples].mean(axis=1)
        return CaseSums.of(n=counts.n, total=total, total_sq=total)


def sample(p: Floats, share: float, rng: np.random.Generator, samples: int) -> Sampled:
    """Sample every case; a share of the cases repeats its first result."""
    passed = rng.binomial(1, p[:, None], (len(p), samples))
    is_repeated = rng.random(len(p)) < share
    return Sampled(passed=np.where(is_repeated[:, None], passed[:, :1], passed), is_repeated=is_repeated)


class Setting(NamedTuple):
    """A form of the gate, a population, a share of repeated cases, a change, and what is known."""

    form: str
    population: str
    repeated: str
    change: str
    stored: bool
    runs: int


CHANGES = {
    "no change": lambda p, _: p,
    "1 broken": broken(1),
    "3 broken": broken(3),
    "-5 points": points_down(0.05),
}
Pair = Callable[[Floats | None, int], tuple[Sampled, Sampled]]  # rows, if not all, and samples


def one_shot(pair: Pair, *, stored: bool) -> Verdict:
    """Decide once."""
    before, after = pair(None, 5)
    return decide_once(before.runs(after, samples=5, stored=stored), rule=RULE).verdict


def confirm(pair: Pair, *, stored: bool) -> Verdict:
    """Decide in two stages."""
    before, after = pair(None, 5)
    plan = confirm_plan(before.runs(after, samples=5, stored=stored), rule=RULE)
    if not plan.cases:
        return plan.unless_confirmed.verdict
    again = pair(np.array(plan.cases), FRESH)
    fresh = again[0].runs(again[1], samples=FRESH, stored=stored)
    return confirm_decision(plan, fresh.baseline, fresh.current, rule=RULE).verdict


def rounds(pair: Pair, *, stored: bool) -> Verdict:
    """Decide round by round; the counts of all rounds show samples that repeat."""
    before, after = pair(None, ROUNDS)
    seen = PairsSeen()
    for place in range(ROUNDS):
        one = (replace(run, passed=run.passed[:, [place]]) for run in (before, after))
        runs = next(one).runs(next(one), samples=1, stored=stored)
        seen = with_round(seen, runs, margin=RULE.margin)
        so_far = before.runs(after, samples=place + 1, stored=False)
        decision = anytime_decision(runs, seen, rule=RULE)
        verdict = unless_dependent(decision, (so_far.baseline, so_far.current)).verdict
        if verdict is not Verdict.INCONCLUSIVE:
            return verdict
    return Verdict.INCONCLUSIVE


FORMS = {"one-shot": one_shot, "confirm": confirm, "anytime": rounds}


def dependence_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure false alarms in every form, and power of the one-shot gate."""
    runs = 20 if quick else 1000
    quiet = [
        Setting(form, population, repeated, "no change", stored, runs)
        for form in FORMS
        for population in POPULATIONS
        for repeated in REPEATED
        for stored in (True, False)
        if not (stored and (repeated == "none" or form == "anytime"))
        if form == "one-shot" or population == "U-shaped"
    ]
    changed = [
        Setting("one-shot", "U-shaped", "none", change, stored=False, runs=runs)
        for change in CHANGES
        if change != "no change"
    ]
    rows = side_by_side(_row, [*quiet, *changed], rng)
    return [Study(title=TITLE, markdown=_markdown(rows), rows=rows)]


def _row(setting: Setting, rng: np.random.Generator) -> Row:
    verdicts = dependent_verdicts(setting, rng)
    return {
        "form": setting.form,
        "population": setting.population,
        "change": setting.change,
        "repeated": setting.repeated,
        "known": "answers" if setting.stored else "counts",
        "fails": verdicts.count(Verdict.FAIL) / setting.runs,
        "passes": verdicts.count(Verdict.PASS) / setting.runs,
    }


def dependent_verdicts(setting: Setting, rng: np.random.Generator) -> Sequence[Verdict]:
    """Return the verdicts of a setting."""
    p = POPULATIONS[setting.population].draw(rng, (setting.runs, 164))
    q = np.clip(CHANGES[setting.change](p, rng), 0, 1)
    share = REPEATED[setting.repeated]

    def pair_of(row: int) -> Pair:
        def pair(rows: Floats | None, samples: int) -> tuple[Sampled, Sampled]:
            rates = (p[row], q[row]) if rows is None else (p[row][rows], q[row][rows])
            before, after = (sample(rate, share, rng, samples) for rate in rates)
            return before, after

        return pair

    return [FORMS[setting.form](pair_of(row), stored=setting.stored) for row in range(setting.runs)]


def _markdown(rows: Sequence[Row]) -> str:
    names = ("form", "population", "change", "repeated", "known")
    cells = (
        [*(str(row[name]) for name in names), *(percent(number(row, name)) for name in ("fails", "passes"))]
        for row in rows
    )
    return f"{NOTE}\n\n{markdown_table([*names, 'fails %', 'passes %'], cells)}"
