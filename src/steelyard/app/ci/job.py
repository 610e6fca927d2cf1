"""Do what a CI job does about a change: compare with a baseline, write files, keep, comment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.app.baseline import PLACE, has_baseline, list_baselines, read_baseline, set_baseline
from steelyard.app.ci.changed_policy import EXIT_CODE, NOTE, has_changed, without_decision
from steelyard.app.ci.comment import CommentError, put_comment
from steelyard.app.ci.hosts import Host, host_of, write_github_outputs
from steelyard.app.ci.pages import remove_earlier_files, write_compared_files, write_report_page
from steelyard.app.compare import compared_samples
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.files import write_file, write_result
from steelyard.app.gate import gate_exit_code, gate_finished
from steelyard.app.report import report_at
from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Integrity
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive
from steelyard.render.markdown.escape import escaped
from steelyard.render.markdown.renderer import comment as comment_text

NOTHING = "none"  # the verdict if there is nothing to compare with

_Judged = tuple[Comparison, GateReport]


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
    """Judge a report, or a run, against a baseline and write the files that people open into a folder.

    With `keep`, the report becomes the baseline if the job passes, with `accept` in any case, even if the
    baseline cannot be read or compared. `require_baseline` refuses a job that has none, unless it accepts.
    With `comment`, the verdict is written to the pull request of this job, if there is one.
    `require_integrity` refuses samples with less integrity. `config`, by default the
    `steelyard.toml` of this folder, may hold a policy that is judged by; without `keep`, a policy other than
    the one that the baseline was kept with makes the verdict inconclusive.
    """
    index, policy, current = Path(folder), load_config(config).gate, address_of(current)
    remove_earlier_files(index, spared=current)
    host, report = host_of(), report_at(current)
    trust.require_integrity(report, require_integrity, where="the current report")

    def judge() -> _Judged:
        before = read_baseline(baseline, baselines=baselines).report
        trust.require_integrity(before, require_integrity, where="the baseline")
        comparison = compare_reports(before, report)
        return comparison, gate_finished(
            before, report, policy, rule=rule, baselines=baselines, require_integrity=require_integrity
        )

    may_lack = accept or not require_baseline
    is_first = may_lack and _is_first(baseline, baselines, makes_one=keep or accept)
    judged = None if is_first else _attempted(judge)
    write_report_page(report, str(current), index, is_compared=isinstance(judged, tuple))
    write_result(report, index / "report.json")
    if isinstance(judged, UserError) and not (accept and report.settings.stop_rule is None):
        raise judged  # with a stop rule, no later report could be compared with this one either
    changes_policy = False
    if isinstance(judged, tuple):
        # The job that keeps baselines is that of the base branch: its policy is in force.
        changes_policy = not keep and has_changed(policy, read_baseline(baseline, baselines=baselines))
        if changes_policy:
            judged = (judged[0], without_decision(judged[1]))
        samples = compared_samples(baseline, current, judged[0], baselines=baselines)
        write_compared_files(*judged, index, samples)
        result = _judged(report, *judged, inconclusive)
        if changes_policy:
            result = replace(result, exit_code=EXIT_CODE, comment=NOTE + result.comment)
    else:
        result = _without_comparison(report, baseline, baselines, judged)
    write_file(index / "comment.md", result.comment)
    may_be_kept = _is_evidence(report, rule) if result.gate is None else result.exit_code == 0
    result = replace(result, is_kept=accept or (keep and may_be_kept))
    if result.is_kept:
        set_baseline(baseline, current, baselines=baselines, note=host.commit, config=config)
    _tell(result, folder)
    problem = _commented(host, result.comment, f"<!-- steelyard: {baseline} -->") if comment else None
    return replace(result, comment_problem=problem)


def _tell(result: CiResult, folder: str | Path) -> None:
    """Tell the steps that follow in this job what came out."""
    outputs = {
        "verdict": result.verdict,
        "exit-code": str(result.exit_code),
        "kept": str(result.is_kept).lower(),
        "folder": str(folder),
    }
    write_github_outputs(outputs, result.comment)


def _is_first(name: str, place: str, *, makes_one: bool) -> bool:
    """Whether nothing is kept here yet; a name beside others is misspelt, unless the job makes a baseline."""
    return not has_baseline(name, baselines=place) and (makes_one or not any(list_baselines(place)))


def _attempted(judge: Callable[[], _Judged]) -> _Judged | UserError:
    """Return a verdict, or why there is none: the report is written before the job ends by it."""
    try:
        return judge()
    except UserError as error:
        return error


def _judged(
    report: Report, comparison: Comparison, found: GateReport, inconclusive: Inconclusive | None
) -> CiResult:
    return CiResult(
        report=report,
        verdict=found.verdict,
        exit_code=gate_exit_code(found, inconclusive),
        comment=comment_text(found, comparison),
        gate=found,
        comparison=comparison,
    )


def _without_comparison(report: Report, name: str, place: str, problem: UserError | None) -> CiResult:
    text = f"There is no baseline `{name}` in `{place}` yet, so there is nothing to compare with.\n"
    if problem is None:
        return CiResult(report=report, comment=text)
    why = str(problem)
    text = f"The baseline `{name}` in `{place}` is replaced without a comparison: {escaped(why)}\n"
    return CiResult(report=report, comment=text, baseline_problem=why)


def _is_evidence(report: Report, rule: GateRule) -> bool:
    """Whether later reports can be compared with this one: it has samples, and few infrastructure errors."""
    return bool(report.subjects) and all(
        subject.samples and subject.coverage.errored <= rule.max_error_share * report.seen_samples_of(subject)
        for subject in report.subjects
    )


def _commented(host: Host, text: str, marker: str) -> str | None:
    """Comment on the pull request; return why that was not possible, such as in the job of a fork."""
    if host.thread is None:
        return f"no comment is written: {host.why_silent}"
    try:
        put_comment(host.thread, text, marker=marker)
    except CommentError as error:
        return f"warning: no comment could be written: {error}"
    return None
