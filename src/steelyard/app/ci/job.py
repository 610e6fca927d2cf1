"""Do what a CI job does about a change: compare with a baseline, write files, keep, comment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.app.baseline import PLACE, has_baseline, list_baselines, read_baseline, set_baseline
from steelyard.app.ci.comment import CommentError, put_comment
from steelyard.app.ci.hosts import Host, host_of, write_github_outputs
from steelyard.app.ci.pages import remove_earlier_files, write_compared_files, write_report_page
from steelyard.app.compare import compared_samples
from steelyard.app.files import write_file, write_result
from steelyard.app.gate import EXIT_CODES, gate_exit_code, gate_finished
from steelyard.app.report import report_at
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ConfigSource, load_config
from steelyard.errors import UserError
from steelyard.model.baseline import Baseline
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Integrity
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive, Verdict
from steelyard.render.markdown.escape import escaped
from steelyard.render.markdown.renderer import comment as comment_text

NOTHING = "none"  # the verdict if there is nothing to compare with

_Decision = tuple[Comparison, GateReport]


@dataclass(frozen=True, slots=True, kw_only=True)
class CiResult:
    """The result of a CI job: verdict, exit code, comment, and whether the report is the baseline now."""

    report: Report
    verdict: str = NOTHING
    exit_code: int = 0
    comment: str
    gate: GateReport | None = None  # None: there was nothing to compare with
    comparison: Comparison | None = None
    is_kept: bool = False
    baseline_problem: str | None = None  # why a baseline was replaced without a comparison
    comment_problem: str | None = None  # why no comment was written, if one was wanted


def ci(  # noqa: PLR0913  # one parameter for each option of the command
    current: RunAddress,
    *,
    baseline: str = "main",
    baselines: str = PLACE,
    keep: bool = False,
    accept: bool = False,
    require_baseline: bool = False,
    rule: GateRule = DEFAULT_RULE,
    inconclusive: Inconclusive | None = None,
    require_integrity: Integrity | None = None,
    comment: bool = False,
    folder: str | Path = "steelyard-report",
    config: ConfigSource = None,
) -> CiResult:
    """Gate a run against a baseline in a CI job, and write reports to a folder.

    Args:
        current: A run or a report.
        baseline: The name of the baseline.
        baselines: Folder or address of the baselines.
        keep: Keep the report as the baseline if the job passes.
        accept: Keep the report in any case, even if the baseline cannot be read or compared.
        require_baseline: Raise an error if there is no baseline, unless `accept` is set.
        rule: Error rate, margin and tolerances of the decision.
        inconclusive: Treat an inconclusive verdict as this one.
        require_integrity: Reject reports with samples of lower integrity.
        comment: Comment on the pull request of this job, if there is one.
        folder: Where to write reports.
        config: Configuration with the policy. Without `keep`, a policy other than the baseline's makes the
            verdict inconclusive: a change must not rewrite the policy that decides about it.

    Raises:
        InputError: A report or the baseline cannot be read.
        UserError: The reports cannot be compared.
    """
    index, policy, current = Path(folder), load_config(config).gate, address_of(current)
    remove_earlier_files(index, spared=current)
    host, report = host_of(), report_at(current)
    trust.require_integrity(report, require_integrity, where="the current report")

    def decide() -> _Decision:
        before = read_baseline(baseline, baselines=baselines).report
        trust.require_integrity(before, require_integrity, where="the baseline")
        comparison = compare_reports(before, report)
        return comparison, gate_finished(
            before, report, policy, rule=rule, baselines=baselines, require_integrity=require_integrity
        )

    is_optional = accept or not require_baseline
    is_first = is_optional and _is_first(baseline, baselines, makes_one=keep or accept)
    decided = None if is_first else _attempt(decide)
    write_report_page(report, str(current), index, is_compared=isinstance(decided, tuple))
    write_result(report, index / "report.json")
    if isinstance(decided, UserError) and not (accept and report.settings.stop_rule is None):
        raise decided  # with a stop rule, no later report could be compared either
    changes_policy = False
    if isinstance(decided, tuple):
        # The job that keeps baselines runs on the base branch, whose policy applies.
        changes_policy = not keep and has_policy_changed(policy, read_baseline(baseline, baselines=baselines))
        if changes_policy:
            decided = (decided[0], make_inconclusive(decided[1]))
        samples = compared_samples(baseline, current, decided[0], baselines=baselines)
        write_compared_files(*decided, index, samples)
        result = _make_result(report, *decided, inconclusive)
        if changes_policy:
            result = replace(result, exit_code=EXIT_CODE, comment=NOTE + result.comment)
    else:
        result = _without_comparison(report, baseline, baselines, decided)
    write_file(index / "comment.md", result.comment)
    may_be_kept = _is_evidence(report, rule) if result.gate is None else result.exit_code == 0
    result = replace(result, is_kept=accept or (keep and may_be_kept))
    if result.is_kept:
        set_baseline(baseline, current, baselines=baselines, note=host.commit, config=config)
    _write_outputs(result, folder)
    problem = _comment(host, result.comment, f"<!-- steelyard: {baseline} -->") if comment else None
    return replace(result, comment_problem=problem)


def _write_outputs(result: CiResult, folder: str | Path) -> None:
    """Pass the result to later steps of the job."""
    outputs = {
        "verdict": result.verdict,
        "exit-code": str(result.exit_code),
        "kept": str(result.is_kept).lower(),
        "folder": str(folder),
    }
    write_github_outputs(outputs, result.comment)


def _is_first(name: str, place: str, *, makes_one: bool) -> bool:
    """Whether this is the first baseline; unless the job keeps one, a new name is a misspelt one."""
    return not has_baseline(name, baselines=place) and (makes_one or not any(list_baselines(place)))


def _attempt(decide: Callable[[], _Decision]) -> _Decision | UserError:
    """Return a decision, or its error: the report is written before the job fails."""
    try:
        return decide()
    except UserError as error:
        return error


def _make_result(
    report: Report, comparison: Comparison, gate: GateReport, inconclusive: Inconclusive | None
) -> CiResult:
    return CiResult(
        report=report,
        verdict=gate.verdict,
        exit_code=gate_exit_code(gate, inconclusive),
        comment=comment_text(gate, comparison),
        gate=gate,
        comparison=comparison,
    )


def _without_comparison(report: Report, name: str, place: str, problem: UserError | None) -> CiResult:
    text = f"There is no baseline `{name}` in `{place}` yet, so there is nothing to compare with.\n"
    if problem is None:
        return CiResult(report=report, comment=text)
    reason = str(problem)
    text = f"The baseline `{name}` in `{place}` is replaced without a comparison: {escaped(reason)}\n"
    return CiResult(report=report, comment=text, baseline_problem=reason)


def _is_evidence(report: Report, rule: GateRule) -> bool:
    """Whether a report can be a baseline: it has samples, and few infrastructure errors."""
    return bool(report.subjects) and all(
        subject.samples and subject.coverage.errored <= rule.max_error_share * report.seen_samples_of(subject)
        for subject in report.subjects
    )


def _comment(host: Host, text: str, marker: str) -> str | None:
    """Comment on the pull request; return a message if that was not possible, as in forks."""
    if host.thread is None:
        return f"no comment: {host.why_silent}"
    try:
        put_comment(host.thread, text, marker=marker)
    except CommentError as error:
        return f"warning: the comment failed: {error}"
    return None


NOTE = (
    "**The gate's policy has changed**: `[gate]` of `steelyard.toml` is not the one that the baseline was "
    "set with, so the verdict is inconclusive. A new policy takes effect when the base branch sets a "
    "baseline with it.\n\n"
)
EXIT_CODE = EXIT_CODES[Verdict.INCONCLUSIVE]


def has_policy_changed(policy: GatePolicy, baseline: Baseline) -> bool:
    """Whether a policy differs from that of the base branch."""
    return policy.digest != baseline.policy


def make_inconclusive(gate: GateReport) -> GateReport:
    """Return the gate's report with an inconclusive verdict."""
    return replace(gate, verdict=Verdict.INCONCLUSIVE)
