"""Judge a report against older baselines as well, so that small drops do not add up unseen.

Each older baseline is a comparison of its own, and all of them share one alpha. None is picked for being the
best: among many, one looks good by luck, and a test against that one alone would raise false alarms.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.gate import count_tests, gate_reports
from steelyard.analysis.gate_report import overall
from steelyard.analysis.pairing import PairedCase, pair_reports
from steelyard.errors import UserError
from steelyard.model.baseline import Baseline
from steelyard.model.gate import GateReport
from steelyard.model.policy import GatePolicy, Metric
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule


class _Comparison(NamedTuple):
    """An older baseline, what of the policy is judged against it, and by how many tests."""

    older: Baseline
    policy: GatePolicy
    tests: int


def decide_with_older(
    baseline: Report, current: Report, older: Sequence[Baseline], policy: GatePolicy, *, rule: GateRule
) -> GateReport:
    """Judge a report against its baseline and against older ones; it passes only if it passes against each.

    Alpha is split evenly over the tests of all comparisons. Cases that only an older baseline has hold
    nothing back: a pass needs all cases of the baseline itself.
    """
    for kept in older:
        _require_comparable(kept, current)
    compared = list(_comparisons(older, current, policy))
    tests = count_tests(pair_reports(baseline, current).pairs, policy) + sum(
        comparison.tests for comparison in compared
    )
    gate = gate_reports(baseline, current, rule=rule, policy=policy, sharing=tests)
    shared_cases = replace(rule, allow_missing=True)
    subjects, verdicts = list(gate.subjects), [gate.verdict]
    for item in compared:
        judged = gate_reports(
            item.older.report, current, rule=shared_cases, policy=item.policy, sharing=tests
        )
        subjects += [replace(subject, since=item.older.name) for subject in judged.subjects]
        verdicts.append(judged.verdict)
    return replace(
        gate,
        verdict=overall(verdicts),
        subjects=tuple(subjects),
        tests=tests,
        history=policy.history,
        older_baselines=tuple(comparison.older.name for comparison in compared),
    )


def older_baselines(
    kept: Iterable[Baseline], baseline: Report, current: Report, *, most: int
) -> Sequence[Baseline]:
    """Return the last kept baselines of the same job, the newest first; the same samples count once.

    One kept after the baseline itself is not older, and one without a common case is of another job.
    """
    ordered = sorted(kept, key=lambda item: (item.kept_at, item.name), reverse=True)
    newest_first = [(item, _results(item.report)) for item in ordered]
    seen, chosen = [_results(baseline), _results(current)], []
    limit = next((item.kept_at for item, result in newest_first if result == seen[0]), None)
    for entry, results in newest_first:
        is_older = limit is None or entry.kept_at <= limit
        if is_older and results not in seen and _is_about(entry.report, baseline, current):
            seen.append(results)
            chosen.append(entry)
    return chosen[:most]


def _results(report: Report) -> list[tuple[object, ...]]:
    return [case.measured for case in report.cases]


def _comparisons(older: Iterable[Baseline], current: Report, policy: GatePolicy) -> Iterator[_Comparison]:
    """Give those older baselines against which something of a policy can be judged."""
    for baseline in older:
        pairs = pair_reports(baseline.report, current).pairs
        judged = _applicable(policy, [pair for pairing in pairs for pair in pairing.cases])
        if judged is not None:
            yield _Comparison(older=baseline, policy=judged, tests=count_tests(pairs, judged))


def _applicable(policy: GatePolicy, shared: Sequence[PairedCase]) -> GatePolicy | None:
    """Return what of a policy can be judged by the cases shared with an older baseline; None if nothing can.

    A suite that came later, and refusals that were not counted then, hold nothing back. Critical cases are
    about the current report alone.
    """
    suites = {pair.current.suite for pair in shared}
    has_refusals = all(pair.baseline.refused is not None for pair in shared)
    required = tuple(
        requirement
        for requirement in policy.requirements
        if set(requirement.suites) <= suites and (requirement.metric is not Metric.REFUSALS or has_refusals)
    )
    if not shared:  # nothing is known, which the verdict must say
        return replace(policy, critical=())
    return (
        replace(policy, critical=(), requirements=required) if required or not policy.requirements else None
    )


def _is_about(older: Report, baseline: Report, current: Report) -> bool:
    """Whether it has a case of the current report, and a subject of it or those of its baseline.

    Those of the baseline may differ in name from those of the current report.
    """
    has_subject = bool(_names(older) & _names(current)) or _names(older) == _names(baseline)
    return has_subject and bool(_cases(older) & _cases(current))


def _names(report: Report) -> set[tuple[str, str]]:
    return {(subject.model, subject.tier) for subject in report.subjects}


def _cases(report: Report) -> set[tuple[str, str, str | None]]:
    return {(case.suite, case.case, case.digest) for case in report.cases}


def _require_comparable(older: Baseline, current: Report) -> None:
    require_fixed_samples(older.report, where=f"the kept baseline {older.name}")
    before, after = older.report.settings.scoring, current.settings.scoring
    if before != after:
        raise UserError(
            f"the kept baseline {older.name} and the current report were scored by different rules "
            f"({before.name} and {after.name}, or with other parameters). Keep it in another place, or judge "
            f"against fewer baselines"
        )
