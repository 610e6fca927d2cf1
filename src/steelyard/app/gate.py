"""Gate a report against its baseline: once, in two stages, in planned looks or round by round."""

from dataclasses import replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.drift import decide_with_older, older_baselines
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.analysis.staged_gate import confirm_reports, gate_anytime, look_at_reports
from steelyard.app.baseline import PLACE, list_baselines
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.report_source import ReportSource, baseline_report, report_of
from steelyard.app.sequence import gate_round
from steelyard.errors import UserError
from steelyard.model.gate import GateReport
from steelyard.model.members import member
from steelyard.model.outcome import Integrity
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive, Verdict

LOOKS = 5
EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INCONCLUSIVE: 4}


def gate(  # noqa: PLR0913  # two reports, the rule, and one of four ways to judge more than once
    baseline: ReportSource,
    current: ReportSource,
    *,
    rule: GateRule = DEFAULT_RULE,
    baselines: str = PLACE,
    fresh_baseline: ReportSource | None = None,
    fresh_current: ReportSource | None = None,
    look: int | None = None,
    looks: int = LOOKS,
    sequence: str | Path | None = None,
    earlier: tuple[int, int] | None = None,
    history: int | None = None,
    require_integrity: Integrity | None = None,
    config: ConfigSource = None,
) -> GateReport:
    """Judge a report against a baseline: pass, fail or inconclusive.

    Each is a report, a run or an address; the baseline may also be the name of one that is kept. Without
    further arguments both are judged once. `fresh_baseline` and `fresh_current` are the reports of cases that
    were generated again. `look` is the number of one of several planned `looks`. With `sequence`, a file that
    is read and written, single samples are judged together with those of earlier rounds, as often as you
    like. `earlier`, the losses and wins of earlier rounds, is the old way to do so and goes away. `config`,
    by default the `steelyard.toml` of this folder, may hold a policy in its table `[gate]`: what is required
    is then judged once, with one alpha over all of it. `history`, by default that of the policy, is how many
    of the last kept baselines are judged against as well. `require_integrity` refuses samples of any of them
    with less integrity.
    """
    has_fresh = fresh_baseline is not None or fresh_current is not None
    ways = has_fresh, look is not None, sequence is not None, earlier is not None
    if sum(ways) > 1:
        raise UserError(
            "choose one of `fresh_baseline` with `fresh_current`, `look`, `sequence` and `earlier`"
        )
    policy = load_config(config).gate
    policy = policy if history is None else replace(policy, history=history)
    if any(ways):
        require_no_policy(policy)
    before, after = baseline_report(baseline, baselines), report_of(current)
    require_both(before, after, require_integrity)
    if has_fresh:
        if fresh_baseline is None or fresh_current is None:
            raise UserError("the second stage needs both `fresh_baseline` and `fresh_current`")
        old, new = report_of(fresh_baseline), report_of(fresh_current)
        require_both(old, new, require_integrity)
        return confirm_reports(before, after, fresh_baseline=old, fresh_current=new, rule=rule)
    if look is not None:
        return look_at_reports(before, after, number=look, looks=looks, rule=rule)
    if sequence is not None:
        return gate_round(before, after, sequence, rule=rule)
    if earlier is not None:
        return gate_anytime(before, after, earlier=earlier, rule=rule)
    return gate_finished(
        before, after, policy, rule=rule, baselines=baselines, require_integrity=require_integrity
    )


def gate_finished(  # noqa: PLR0913  # two reports, a policy, the rule, and where older baselines are
    baseline: Report,
    current: Report,
    policy: GatePolicy,
    *,
    rule: GateRule,
    baselines: str | Path,
    require_integrity: Integrity | None = None,
) -> GateReport:
    """Decide once over two finished reports; `baselines` is read only if the policy needs older ones."""
    if not policy.history:
        return gate_reports(baseline, current, rule=rule, policy=policy)
    older = older_baselines(list_baselines(baselines), baseline, current, most=policy.history)
    for kept in older:
        trust.require_integrity(kept.report, require_integrity, where=f"the kept baseline {kept.name}")
    return decide_with_older(baseline, current, older, policy, rule=rule)


def require_no_policy(policy: GatePolicy) -> None:
    """Refuse a policy where samples are looked at more than once: it is judged once."""
    if not policy.is_empty:
        raise UserError(
            "the policy of the configuration ([gate]) is judged once, and not in stages, looks or rounds; "
            "use a configuration without it (--config), and no --history"
        )


def require_both(baseline: Report, current: Report, wanted: Integrity | None) -> None:
    """Refuse two reports if one has samples with less integrity than wanted."""
    trust.require_integrity(baseline, wanted, where="the baseline")
    trust.require_integrity(current, wanted, where="the current report")


def gate_exit_code(found: GateReport, inconclusive: Inconclusive | None = None) -> int:
    """Return the exit code of a verdict; `inconclusive` says what an open one counts as.

    An open verdict passes only for want of samples: not if cases are missing or the checks are broken.
    """
    is_open = found.verdict is Verdict.INCONCLUSIVE
    counts_as = None if inconclusive is None else member(Inconclusive, inconclusive, option="inconclusive")
    if not is_open or counts_as is None:
        return EXIT_CODES[found.verdict]
    if counts_as is Inconclusive.PASS and not found.lacks_only_samples:
        return EXIT_CODES[found.verdict]
    return EXIT_CODES[Verdict(counts_as)]
