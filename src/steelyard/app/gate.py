"""Gate a report against its baseline: once, in two stages or round by round."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.drift import decide_with_older, older_baselines
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.analysis.staged_gate import BEGINNING, add_round, confirm_reports
from steelyard.app.baseline import NO_NAMES, PLACE, ReportSource, list_baselines, report_of, two_reports
from steelyard.app.files import write_file
from steelyard.app.settings import ConfigSource, load_config
from steelyard.errors import InputError, UserError
from steelyard.model.gate import GateReport
from steelyard.model.members import member
from steelyard.model.outcome import Integrity
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.sequence import GateSequence
from steelyard.model.verdict import GateRule, Inconclusive, Verdict
from steelyard.render.json import record_json
from steelyard.sources.record_file import record_of

EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INCONCLUSIVE: 4}


def gate(  # noqa: PLR0913  # two reports, the rule, and the ways to decide more than once
    baseline: ReportSource,
    current: ReportSource,
    *,
    rule: GateRule = DEFAULT_RULE,
    models: Mapping[str, str] = NO_NAMES,
    baselines: str = PLACE,
    fresh_baseline: ReportSource | None = None,
    fresh_current: ReportSource | None = None,
    sequence: str | Path | None = None,
    history: int | None = None,
    require_integrity: Integrity | None = None,
    config: ConfigSource = None,
) -> GateReport:
    """Decide whether a report is worse than its baseline: pass, fail or inconclusive.

    Args:
        baseline: A report, a run, an address, or the name of a kept baseline.
        current: A report, a run or an address.
        rule: Error rate, margin and tolerances of the decision.
        models: Other names for models of either report.
        baselines: Folder or address of the kept baselines.
        fresh_baseline: The baseline's suspicious cases, resampled; decides together with `fresh_current`.
        fresh_current: The current cases, resampled.
        sequence: A file that keeps all rounds of single samples; read and rewritten.
        history: Compare with this many of the last kept baselines too. Default: that of the policy.
        require_integrity: Reject reports with samples of lower integrity.
        config: Configuration whose table `[gate]` may hold a policy. Default: `steelyard.toml` here.

    Raises:
        UserError: The arguments exclude each other, or a report lacks the required integrity.
        InputError: A report or the sequence file cannot be read.
    """
    has_fresh = fresh_baseline is not None or fresh_current is not None
    if has_fresh and sequence is not None:
        raise UserError("choose either `fresh_baseline` with `fresh_current`, or `sequence`")
    policy = load_config(config).gate
    policy = policy if history is None else replace(policy, history=history)
    if has_fresh or sequence is not None:
        require_no_policy(policy)
    before, after = two_reports(baseline, current, baselines=baselines, models=models)
    require_both(before, after, require_integrity)
    if has_fresh:
        if fresh_baseline is None or fresh_current is None:
            raise UserError("the second stage needs both `fresh_baseline` and `fresh_current`")
        old, new = report_of(fresh_baseline), report_of(fresh_current)
        require_both(old, new, require_integrity)
        return confirm_reports(before, after, fresh_baseline=old, fresh_current=new, rule=rule)
    if sequence is not None:
        return _gate_round(before, after, Path(sequence), rule=rule)
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


def _gate_round(baseline: Report, current: Report, file: Path, *, rule: GateRule) -> GateReport:
    """Decide over a round of single samples and all rounds before it; store the round in the file."""
    result, after = add_round(baseline, current, sequence=_read_sequence(file), rule=rule)
    write_file(file, record_json(after, GateSequence))
    return result


def _read_sequence(path: Path) -> GateSequence:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return BEGINNING
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return record_of(text, GateSequence, where=str(path))


def require_no_policy(policy: GatePolicy) -> None:
    """Reject a policy where the gate decides more than once."""
    if not policy.is_empty:
        raise UserError(
            "a policy ([gate] in the configuration) allows a single decision, no stages or rounds; "
            "use a configuration without it (--config), and no --history"
        )


def require_both(baseline: Report, current: Report, lowest: Integrity | None) -> None:
    """Reject two reports if one has samples of lower integrity."""
    trust.require_integrity(baseline, lowest, where="the baseline")
    trust.require_integrity(current, lowest, where="the current report")


def gate_exit_code(report: GateReport, inconclusive: Inconclusive | None = None) -> int:
    """Return the exit code of a verdict.

    Args:
        report: The gate's result.
        inconclusive: Treat an inconclusive verdict as this one. It passes only if nothing but samples is
            lacking: not with missing cases or failed checks.
    """
    is_open = report.verdict is Verdict.INCONCLUSIVE
    treated_as = None if inconclusive is None else member(Inconclusive, inconclusive, option="inconclusive")
    if not is_open or treated_as is None:
        return EXIT_CODES[report.verdict]
    if treated_as is Inconclusive.PASS and not report.lacks_only_samples:
        return EXIT_CODES[report.verdict]
    return EXIT_CODES[Verdict(treated_as)]
