"""Judge a report against older baselines as well, so that small drops do not add up unseen.

Each older baseline is a comparison of its own, and all of them share one alpha. None is picked for being the
best: among many, one looks good by luck, and a test against that one alone would raise false alarms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.gate import overall
from steelyard.analysis.policy import count_tests, gate_by_policy
from steelyard.errors import UserError
from steelyard.model.baseline import Baseline
from steelyard.model.gate import GateReport
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule


def judge_with_older(
    baseline: Report, current: Report, older: Sequence[Baseline], policy: GatePolicy, *, rule: GateRule
) -> GateReport:
    """Judge a report against its baseline and against older ones; it passes only if it passes against each.

    Alpha is split evenly over the tests of all comparisons. Cases that only an older baseline has hold
    nothing back: a pass needs all cases of the baseline itself.
    """
    for one in older:
        _require_comparable(one, current)
    tests = sum(count_tests(report, current, policy) for report in (baseline, *(one.report for one in older)))
    found = gate_by_policy(baseline, current, policy, rule=rule, sharing=tests)
    shared_cases = replace(rule, allow_missing=True)
    required = replace(policy, critical=())  # those are about the current report alone
    subjects, verdicts = list(found.subjects), [found.verdict]
    for one in older:
        judged = gate_by_policy(one.report, current, required, rule=shared_cases, sharing=tests)
        subjects += [replace(subject, since=one.name) for subject in judged.subjects]
        verdicts.append(judged.verdict)
    return replace(
        found,
        verdict=overall(verdicts),
        subjects=tuple(subjects),
        tests=tests,
        history=policy.history,
        older_baselines=tuple(one.name for one in older),
    )


def older_baselines(
    kept: Iterable[Baseline], baseline: Report, current: Report, *, most: int
) -> Sequence[Baseline]:
    """Return the last kept baselines of the same subjects, the newest first; the same samples count once."""
    seen, chosen = [baseline.cases, current.cases], []
    for one in sorted(kept, key=lambda one: (one.kept_at, one.name), reverse=True):
        if one.report.cases not in seen and _is_about(one.report, baseline, current):
            seen.append(one.report.cases)
            chosen.append(one)
    return chosen[:most]


def _is_about(older: Report, baseline: Report, current: Report) -> bool:
    """Whether it has a subject of the current report, or those of its baseline, which may differ in name."""
    return bool(_names(older) & _names(current)) or _names(older) == _names(baseline)


def _names(report: Report) -> set[tuple[str, str]]:
    return {(one.model, one.tier) for one in report.subjects}


def _require_comparable(older: Baseline, current: Report) -> None:
    require_fixed_samples(older.report, where=f"the kept baseline {older.name}")
    before, after = older.report.settings.scoring, current.settings.scoring
    if before != after:
        raise UserError(
            f"the kept baseline {older.name} and the current report were scored by different rules "
            f"({before.name} and {after.name}, or with other parameters). Keep it in another place, or judge "
            f"against fewer baselines"
        )
