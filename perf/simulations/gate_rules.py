"""Apply gates, ours and others', to many drawn comparisons.

A rival is described by a score that is low when it is alarmed, so that all can be set to the same rate of
false alarms. evalsig and NeMo Evaluator are used when they are installed, and left out otherwise.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import stdtr

from perf.simulations.gate_draws import CASES, FRESH, Comparisons
from perf.simulations.populations import Floats, Ints
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import mcnemar_p
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.gates import one_shot_gate
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import Verdict

THRESHOLD = 0.05
ALPHA = 0.05
EVALSIG_RESAMPLES = 1000
FEWER = 300  # comparisons for a rule that takes long


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """For every comparison: whether we failed it, whether we passed it, and samples drawn on top."""

    failed: Floats
    passed: Floats
    extra: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Somebody else's rule: a score for every comparison, and the score at or below which it is alarmed."""

    score: Callable[[Comparisons], Floats]
    alarm_at: float
    most_runs: int = 1_000_000


def one_shot(draws: Comparisons) -> Outcome:
    """Apply our gate for two finished runs."""
    verdicts = [
        one_shot_gate(CaseCounts.of(n=draws.n, c=before), CaseCounts.of(n=draws.n, c=after)).verdict
        for before, after in zip(draws.before, draws.after, strict=True)
    ]
    return _outcome(verdicts, [0] * len(verdicts))


def confirm(draws: Comparisons) -> Outcome:
    """Apply our gate with a second look at the suspicious cases."""
    verdicts, extra = [], []
    for row in range(len(draws)):
        before, after = (CaseCounts.of(n=draws.n, c=runs[row]) for runs in (draws.before, draws.after))
        plan = confirm_plan(PairedRuns(baseline=before, current=after))
        rows = np.array(plan.cases, dtype=np.int64)
        fresh = [
            CaseCounts.of(n=FRESH, c=runs[row, rows]) for runs in (draws.fresh_before, draws.fresh_after)
        ]
        verdicts.append(confirm_decision(plan, *fresh).verdict)
        extra.append(2 * FRESH * len(plan.cases))
    return _outcome(verdicts, extra)


def threshold_score(draws: Comparisons) -> Floats:
    """Return minus the largest drop of any case: the usual rule is alarmed by a drop above its threshold."""
    return np.asarray((draws.after - draws.before).min(axis=1) / draws.n, dtype=np.float64)


def paired_t_score(draws: Comparisons) -> Floats:
    """Return the one-sided p-value of the paired t test over cases."""
    changes = (draws.after - draws.before) / draws.n
    error = changes.std(axis=1, ddof=1) / np.sqrt(CASES)
    t = np.divide(changes.mean(axis=1), error, out=np.zeros(len(draws)), where=error > 0)
    return np.where(error > 0, stdtr(CASES - 1, t), 1.0)


def mcnemar_score(draws: Comparisons) -> Floats:
    """Return McNemar's exact one-sided p-value on the first sample of each case."""
    losses = (draws.first_before > draws.first_after).sum(axis=1)
    wins = (draws.first_before < draws.first_after).sum(axis=1)
    cached = lru_cache(maxsize=None)(lambda lost, won: mcnemar_p(losses=lost, wins=won))
    return np.array([cached(int(lost), int(won)) for lost, won in zip(losses, wins, strict=True)])


def evalsig_score(draws: Comparisons) -> Floats:
    """Return the p-value of evalsig's automatic choice of test, baseline better than current."""
    evalsig = import_module("evalsig")
    return np.array(
        [
            evalsig.compare(
                _frame(evalsig, after / draws.n),
                _frame(evalsig, before / draws.n),
                alpha=ALPHA,
                one_sided=True,
                n_resamples=EVALSIG_RESAMPLES,
            ).p_value
            for before, after in zip(draws.before, draws.after, strict=True)
        ]
    )


def nemo_score(draws: Comparisons) -> Floats:
    """Return the p-value of NeMo Evaluator: of McNemar's test, or with repeats of a permutation test."""
    tests = _nemo_tests()
    changes = (draws.before - draws.after) / draws.n
    if draws.n > 1:
        return np.array([tests.permutation_test(list(row)).p_value for row in changes])
    pairs = [
        {"baseline_only_correct": (row > 0).sum(), "candidate_only_correct": (row < 0).sum()}
        for row in changes
    ]
    return np.array([tests.mcnemar_test(pair, CASES).p_value for pair in pairs])


def _nemo_tests() -> Any:  # noqa: ANN401 - a package without types
    """Load the one module: the package as a whole needs a newer Python and a hundred others."""
    package = find_spec("nemo_evaluator")
    assert package
    assert package.submodule_search_locations
    file = Path(package.submodule_search_locations[0]) / "metrics" / "paired_tests.py"
    spec = spec_from_file_location("nemo_paired_tests", file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


OURS: dict[str, Callable[[Comparisons], Outcome]] = {"ours, one-shot": one_shot, "ours, confirm": confirm}
RIVALS: dict[str, Rival] = {
    "any case down > .05": Rival(score=threshold_score, alarm_at=-THRESHOLD - 1e-9),
    "paired t": Rival(score=paired_t_score, alarm_at=ALPHA),
    "McNemar, first sample": Rival(score=mcnemar_score, alarm_at=ALPHA),
}
if find_spec("evalsig"):
    RIVALS["evalsig"] = Rival(score=evalsig_score, alarm_at=ALPHA, most_runs=FEWER)
if find_spec("nemo_evaluator"):
    RIVALS["NeMo Evaluator"] = Rival(score=nemo_score, alarm_at=ALPHA, most_runs=FEWER)


def _outcome(verdicts: list[Verdict], extra: list[int]) -> Outcome:
    return Outcome(
        failed=np.array([verdict is Verdict.FAIL for verdict in verdicts], dtype=np.float64),
        passed=np.array([verdict is Verdict.PASS for verdict in verdicts], dtype=np.float64),
        extra=np.array(extra, dtype=np.float64),
    )


def _frame(evalsig: Any, scores: Floats | Ints) -> Any:  # noqa: ANN401 - a package without types
    items = [evalsig.ItemResult(item_id=f"{case:03d}", score=float(s)) for case, s in enumerate(scores)]
    return evalsig.RunFrame(run_id="r", model_id="m", task_id="t", metric_name="pass", items=items)
