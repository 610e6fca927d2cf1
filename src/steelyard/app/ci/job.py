"""Do what a CI job does about a change: compare with a baseline, write files, keep, comment."""

from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate import DEFAULT_RULE
from steelyard.app.baseline import PLACE, has_baseline, list_baselines, read_baseline, set_baseline
from steelyard.app.ci.comment import CommentError, put_comment
from steelyard.app.ci.hosts import Host, host_of, tell_github
from steelyard.app.ci.pages import write_compared_pages, write_report_page
from steelyard.app.compare import compared_samples
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.files import write_file, write_result
from steelyard.app.gate import gate_exit_code
from steelyard.app.judged import judged_by
from steelyard.app.report import report_at
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Isolation
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive
from steelyard.render.markdown.renderer import comment as comment_text

NOTHING = "none"  # the verdict if there is nothing to compare with


@dataclass(frozen=True, slots=True, kw_only=True)
class CiResult:
    """The result of a CI job: verdict, exit code, comment, and whether the report is the baseline now."""

    report: Report
    verdict: str = NOTHING
    exit_code: int = 0
    comment: str
    gate: GateReport | None = None  # None: there is no baseline yet
    comparison: Comparison | None = None
    is_kept: bool = False
    comment_problem: str | None = None  # why no comment was written, if one was wanted


def ci(  # noqa: PLR0913  # one parameter for each option of the command
    current: str | Path,
    *,
    baseline: str = "main",
    baselines: str = PLACE,
    keep: bool = False,
    accept: bool = False,
    require_baseline: bool = False,
    rule: GateRule = DEFAULT_RULE,
    inconclusive: Inconclusive | None = None,
    require_isolation: Isolation | None = None,
    comment: bool = False,
    folder: str | Path = "steelyard-report",
    config: ConfigSource = None,
) -> CiResult:
    """Judge a report, or a run, against a baseline and write the files that people open into a folder.

    With `keep`, the report becomes the baseline if the job passes, with `accept` in any case. With `comment`,
    the verdict is written to the pull request of this job, if there is one. `require_isolation` refuses
    samples that were graded with less isolation. `config`, by default the `steelyard.toml` of this folder,
    may hold a policy that is judged by.
    """
    host, report, place = host_of(), report_at(current), Path(folder)
    trust.require_isolation(report, require_isolation, where="the current report")
    is_compared = has_baseline(baseline, baselines=baselines)
    write_report_page(report, str(current), place, is_compared=is_compared)
    write_result(report, place / "report.json")
    if is_compared or require_baseline:
        before = read_baseline(baseline, baselines=baselines).report
        trust.require_isolation(before, require_isolation, where="the baseline")
        comparison = compare_reports(before, report)
        found = judged_by(
            load_config(config).gate,
            before,
            report,
            rule=rule,
            baselines=baselines,
            require_isolation=require_isolation,
        )
        samples = compared_samples(baseline, current, comparison, baselines=baselines)
        write_compared_pages(comparison, found, place, samples)
        for name in ("gate.json", "gate.xml"):
            write_result(found, place / name)
        result = _judged(report, comparison, found, inconclusive)
        may_be_kept = result.exit_code == 0
    else:
        if not (keep or accept):
            _require_first(baseline, baselines)
        result, may_be_kept = _without_baseline(report, baseline, baselines), _is_evidence(report, rule)
    write_file(place / "comment.md", result.comment)
    is_kept = accept or (keep and may_be_kept)
    if is_kept:
        set_baseline(baseline, current, baselines=baselines, note=host.commit)
    result = replace(result, is_kept=is_kept)
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
    tell_github(outputs, result.comment)


def _require_first(name: str, place: str) -> None:
    """Refuse a name under which nothing is kept beside others: it is misspelt, and the error lists them."""
    if any(list_baselines(place)):
        read_baseline(name, baselines=place)


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


def _without_baseline(report: Report, name: str, place: str) -> CiResult:
    text = f"There is no baseline `{name}` in `{place}` yet, so there is nothing to compare with.\n"
    return CiResult(report=report, comment=text)


def _is_evidence(report: Report, rule: GateRule) -> bool:
    """Whether later reports can be compared with this one: it has samples, and few infrastructure errors."""
    drawn = [(subject.samples, subject.coverage.errored) for subject in report.subjects]
    return bool(drawn) and all(
        samples and errored <= rule.max_error_share * (samples + errored) for samples, errored in drawn
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
