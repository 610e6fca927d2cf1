"""Judge two finished reports by a policy, which may reach back to older baselines."""

from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.drift import judge_with_older, older_baselines
from steelyard.analysis.policy import judge_finished
from steelyard.app.baseline import list_baselines
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Integrity
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule


def judged_by(  # noqa: PLR0913  # a policy, two reports, and how they are judged
    policy: GatePolicy,
    baseline: Report,
    current: Report,
    *,
    rule: GateRule,
    baselines: str | Path,
    require_integrity: Integrity | None = None,
) -> GateReport:
    """Judge a report once; `baselines` is read only if the policy asks for older ones."""
    if not policy.history:
        return judge_finished(baseline, current, policy, rule=rule)
    older = older_baselines(list_baselines(baselines), baseline, current, most=policy.history)
    for one in older:
        trust.require_integrity(one.report, require_integrity, where=f"the kept baseline {one.name}")
    return judge_with_older(baseline, current, older, policy, rule=rule)
