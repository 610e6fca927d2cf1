"""`steelyard baseline`: keep reports under names, and follow them over time."""

from collections.abc import Sequence
from json import dumps
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.flags import FlagCommand
from steelyard.cli.output import outputs, show_result
from steelyard.cli.screen import note as remark
from steelyard.cli.screen import show
from steelyard.model.baseline import Baseline
from steelyard.model.history import History
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.names import visible
from steelyard.render.words import counted

Name = Annotated[str, typer.Argument(help="The name, such as main.")]
app = typer.Typer(
    name="baseline",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("set", cls=FlagCommand)
def set_(
    name: Name,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report (JSON) or a run.")],
    *,
    baselines: options.Baselines = "baselines",
    note: Annotated[str | None, typer.Option(help="A remark, such as a commit.")] = None,
) -> None:
    """Keep a report under a name; replace the previous one."""
    replaced = ", replacing the previous one" if steelyard.has_baseline(name, baselines=baselines) else ""
    baseline = steelyard.set_baseline(name, report, baselines=baselines, note=note)
    show(f"{baseline.name}: kept in {baselines}{replaced}; {_describe(baseline)}\n")


@app.command("list", cls=FlagCommand)
def list_(*, baselines: options.Baselines = "baselines", json: options.AsJson = False) -> None:
    """List the baselines."""
    kept = list(steelyard.list_baselines(baselines))
    if json:
        rows = [{"name": each.name, "kept_at": each.kept_at, "note": each.note} for each in kept]
        show(dumps({"schema": "steelyard.baselines/1", "baselines": rows}, indent=2) + "\n")
        return
    if not kept:
        remark(f"{baselines}: no baselines; add one with `steelyard baseline set NAME RUN`")
    for baseline in kept:
        show(f"{baseline.name}: kept {baseline.kept_at}; {_describe(baseline)}\n")


@app.command("show", cls=FlagCommand)
def show_(
    name: Name,
    *,
    baselines: options.Baselines = "baselines",
    format: Annotated[str, typer.Option(help=options.REPORT_FORMATS)] = "text",
    output: options.Output,
    details: options.Details = False,
) -> None:
    """Show a baseline: its source and report."""
    destinations = outputs(Report, format, output, details=details)
    baseline = steelyard.read_baseline(name, baselines=baselines)
    remark(f"{baseline.name}: kept {baseline.kept_at}; {_describe(baseline)}")
    show_result(baseline.report, destinations)


@app.command("remove", cls=FlagCommand)
def remove(name: Name, *, baselines: options.Baselines = "baselines") -> None:
    """Remove a baseline. Its run or file stays."""
    baseline = steelyard.remove_baseline(name, baselines=baselines)
    show(f"{baseline.name}: removed from {baselines}; {_describe(baseline)}\n")


@app.command("history", cls=FlagCommand)
def history(
    *,
    baselines: options.Baselines = "baselines",
    alpha: Annotated[float, typer.Option(help="Largest probability of a false change.")] = 0.05,
    format: Annotated[str, typer.Option(help="text, json, markdown or html.")] = "text",
    output: options.Output,
) -> None:
    """Show the baselines over time, and detect changes of the pass rate."""
    destinations = outputs(History, format, output)
    show_result(steelyard.history(baselines, alpha=alpha), destinations)


def _describe(baseline: Baseline) -> str:
    note = f" ({visible(baseline.note)})" if baseline.note else ""
    return f"from {visible(baseline.source)}{note}; {_describe_subjects(baseline.report.subjects)}"


def _describe_subjects(subjects: Sequence[SubjectSummary]) -> str:
    names = list(dict.fromkeys(visible(subject.model) for subject in subjects))
    first = ", ".join(names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004  # a line fits three
    return f"{first}{more}, {counted(sum(subject.samples for subject in subjects), 'sample')}"
