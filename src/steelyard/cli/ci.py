"""`steelyard ci`: what a job does about a change, in one command.

Compare with a baseline, write the files that people open, comment on the pull request, exit by the verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.app.ci.comment import CommentError, put_comment
from steelyard.app.ci.hosts import Host, host_of, tell_github
from steelyard.cli import gate_options as options
from steelyard.cli import output
from steelyard.cli.baseline import Baselines
from steelyard.cli.gate import exit_code
from steelyard.model.excerpt import SampleExcerpt
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive

NOTHING = "none"  # the verdict where there was nothing to compare with


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What came out: the verdict's name, the exit code, the comment, and whether it is fit for a baseline."""

    verdict: str
    code: int
    comment: str
    may_be_kept: bool


def ci(
    *,
    current: options.Current,
    baseline: Annotated[str, typer.Option(metavar="NAME", help="The name of the baseline.")] = "main",
    baselines: Baselines = "baselines",
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the current report as the baseline if the job passes.")
    ] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Keep it whatever the verdict: the drop is meant.")
    ] = False,
    require_baseline: Annotated[
        bool, typer.Option("--require-baseline", help="Exit with 2 if there is no baseline yet.")
    ] = False,
    margin: options.Margin = 0.05,
    alpha: options.Alpha = 0.05,
    max_error_share: options.MaxErrorShare = 0.05,
    allow_missing: options.AllowMissing = False,
    inconclusive: options.OnInconclusive = None,
    comment: Annotated[
        bool, typer.Option("--comment", help="Comment on the pull request of this job.")
    ] = False,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go.")] = Path(
        "steelyard-report"
    ),
) -> None:
    """Do what a CI job does about a change: compare with a baseline, write the files, comment, exit."""
    rule = GateRule(alpha=alpha, margin=margin, max_error_share=max_error_share, allow_missing=allow_missing)
    host, report = host_of(), steelyard.report_at(current)
    _write_report(report, current, folder)
    if require_baseline or _has_baseline(baseline, baselines, may_be_new=keep or accept):
        before = steelyard.read_baseline(baseline, baselines=baselines).report
        ended = _compared(before, report, rule, inconclusive, folder)
    else:
        ended = _nothing_to_compare(report, rule, name=baseline, place=baselines)
    output.write(folder / "comment.md", ended.comment)
    is_kept = accept or (keep and ended.may_be_kept)
    if is_kept:
        steelyard.set_baseline(baseline, current, baselines=baselines, note=host.commit)
        output.note(f"kept as the baseline {baseline} in {baselines}")
    elif keep:
        output.note("the baseline stays as it is; --accept keeps the current report all the same")
    told = {
        "verdict": ended.verdict,
        "exit-code": str(ended.code),
        "kept": str(is_kept).lower(),
        "folder": str(folder),
    }
    tell_github(told, ended.comment)
    if comment:
        _comment(host, ended.comment, marker=f"<!-- steelyard: {baseline} -->")
    raise typer.Exit(code=ended.code)


def _has_baseline(name: str, place: str, *, may_be_new: bool) -> bool:
    """Whether there is a baseline; a name that only looks misspelt is refused."""
    if steelyard.has_baseline(name, baselines=place):
        return True
    if not may_be_new and any(steelyard.list_baselines(place)):
        steelyard.read_baseline(name, baselines=place)  # says which there are
    return False


def _write_report(report: Report, address: str, folder: Path) -> None:
    places = output.report_places("text", [folder / "report.html", folder / "report.json"])
    output.write_report(report, places, lambda: _samples(address))


def _samples(address: str) -> Sequence[SampleExcerpt]:
    from steelyard.store.run.run_store import is_run  # noqa: PLC0415  # loads the tables' library

    return steelyard.sample_excerpts(address) if is_run(address) else ()


def _compared(
    before: Report, after: Report, rule: GateRule, inconclusive: Inconclusive | None, folder: Path
) -> Ended:
    from steelyard.render.markdown.renderer import comment  # noqa: PLC0415  # not for whoever only wants --help

    comparison = steelyard.compare_reports(before, after)
    found = steelyard.gate_reports(before, after, rule=rule)
    output.write_comparison(comparison, output.comparison_places("text", [folder / "comparison.html"]))
    files = [folder / "gate.html", folder / "gate.json", folder / "gate.xml"]
    output.show_gate(found, output.gate_places("text", files))
    code = exit_code(found, inconclusive)
    return Ended(verdict=found.verdict, code=code, comment=comment(found, comparison), may_be_kept=code == 0)


def _nothing_to_compare(report: Report, rule: GateRule, *, name: str, place: str) -> Ended:
    told = f"There is no baseline `{name}` in `{place}` yet, so there is nothing to compare with."
    output.note(f"{told.replace('`', '')} On the main branch, `steelyard ci --keep` makes one.")
    return Ended(verdict=NOTHING, code=0, comment=f"{told}\n", may_be_kept=_is_evidence(report, rule))


def _is_evidence(report: Report, rule: GateRule) -> bool:
    """Whether later reports can be compared with this one: it has samples, and few errors of our own."""
    drawn = [(subject.samples, subject.coverage.errored) for subject in report.subjects]
    return bool(drawn) and all(
        samples and errored <= rule.max_error_share * (samples + errored) for samples, errored in drawn
    )


def _comment(host: Host, text: str, *, marker: str) -> None:
    """Comment if that is possible; a job that may not, such as that of a fork, still has its verdict."""
    if host.thread is None:
        output.note(f"no comment is written: {host.why_silent}")
        return
    try:
        put_comment(host.thread, text, marker=marker)
    except CommentError as error:
        output.note(f"warning: no comment could be written: {error}")
