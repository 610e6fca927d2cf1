"""Measure false alarms, power and coverage where the cases of a cluster pass and fail together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from perf.simulations.gate_draws import FRESH, broken, points_down
from perf.simulations.populations import U_SHAPED, Floats, Ints
from perf.simulations.side_by_side import side_by_side
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.gates import decide_once
from steelyard.metrics.intervals import mean_interval
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import GateRule, Verdict

RULE = GateRule()
CASES, SAMPLES = 160, 5
MEAN = U_SHAPED.pass_at_k(1)
SIZES = (2, 5, 10)
CHANGES = {"no change": lambda p, _: p, "1 broken": broken(1), "-5 points": points_down(0.05)}
TITLE = "Cases in clusters"
NOTE = (
    f"Shares in %, {CASES} cases, {SAMPLES} samples of each in both runs, U-shaped rates. The cases of a "
    "cluster have one rate, and in each run the same samples pass. `known`: the gate knows the clusters; "
    "`covers`: how often the interval for new cases holds the true mean."
)


class Setting(NamedTuple):
    """A form of the gate, the size of clusters, a change, and whether the clusters are known."""

    form: str
    size: int
    change: str
    known: bool
    runs: int


def cluster_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure false alarms of both forms that take clusters, and power of the one-shot gate."""
    runs = 20 if quick else 1000
    settings = [
        *(
            Setting(form, size, "no change", known=True, runs=runs)
            for form in ("one-shot", "confirm")
            for size in SIZES
        ),
        *(Setting("one-shot", size, "no change", known=False, runs=runs) for size in SIZES),
        *(
            Setting("one-shot", size, change, known=True, runs=runs)
            for size in SIZES
            for change in CHANGES
            if change != "no change"
        ),
    ]
    rows = side_by_side(cluster_row, settings, rng)
    return [Study(title=TITLE, markdown=_markdown(rows), rows=rows)]


def cluster_row(setting: Setting, rng: np.random.Generator) -> Row:
    """Return the shares of one setting."""
    clusters = np.repeat(np.arange(CASES // setting.size), setting.size)
    known = clusters if setting.known else None
    verdicts: list[Verdict] = []
    covered = 0
    for _ in range(setting.runs):
        p = U_SHAPED.draw(rng, (1, CASES // setting.size))[0][clusters]
        q = np.clip(CHANGES[setting.change](p[None, :], rng), 0, 1)[0]
        before, after = sample(p, clusters, rng, SAMPLES), sample(q, clusters, rng, SAMPLES)
        runs = PairedRuns(baseline=before, current=after, clusters=known)
        verdicts.append(_decide(setting.form, runs, (p, q), rng))
        interval = mean_interval(before.rates, clusters=known)
        covered += (interval.low or 0) <= MEAN <= (interval.high or 0)
    return {
        "form": setting.form,
        "size": setting.size,
        "change": setting.change,
        "known": "yes" if setting.known else "no",
        "fails": verdicts.count(Verdict.FAIL) / setting.runs,
        "passes": verdicts.count(Verdict.PASS) / setting.runs,
        "covers": covered / setting.runs,
    }


def sample(p: Floats, clusters: Ints, rng: np.random.Generator, samples: int) -> CaseCounts:
    """Sample every case, all cases of a cluster by the same random numbers."""
    thrown = rng.random((int(clusters.max()) + 1, samples))[clusters]
    return CaseCounts.of(n=samples, c=(thrown < p[:, None]).sum(axis=1))


def _decide(form: str, runs: PairedRuns, rates: tuple[Floats, Floats], rng: np.random.Generator) -> Verdict:
    if form == "one-shot":
        return decide_once(runs, rule=RULE).verdict
    plan = confirm_plan(runs, rule=RULE)
    if not plan.cases or runs.clusters is None:
        return plan.unless_confirmed.verdict
    rows = np.array(plan.cases)
    _, clusters = np.unique(runs.clusters[rows], return_inverse=True)
    again = [sample(rate[rows], clusters, rng, FRESH) for rate in rates]
    return confirm_decision(plan, again[0], again[1], rule=RULE, clusters=clusters).verdict


def _markdown(rows: Sequence[Row]) -> str:
    names, shares = ("form", "size", "change", "known"), ("fails", "passes", "covers")
    cells = (
        [*(str(row[name]) for name in names), *(percent(number(row, name)) for name in shares)]
        for row in rows
    )
    return f"{NOTE}\n\n{markdown_table([*names, *(f'{share} %' for share in shares)], cells)}"
