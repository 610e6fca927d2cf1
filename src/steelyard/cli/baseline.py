"""`steelyard baseline`: reports kept under names, for `compare`, `gate` and `ci` to compare with."""

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
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.names import visible
from steelyard.render.words import counted

Name = Annotated[str, typer.Argument(help="What it is called, such as main.")]
app = typer.Typer(
    name="baseline",
    help="Keep reports under names, to compare with.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("set", cls=FlagCommand)
def set_(
    name: Name,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report (JSON) or a run.")],
    *,
    baselines: options.Baselines = "baselines",
    note: Annotated[str | None, typer.Option(help="What to remember of it, such as a commit.")] = None,
) -> None:
    """Keep a report under a name; one that has it already is replaced."""
    instead = ", in place of the one before" if steelyard.has_baseline(name, baselines=baselines) else ""
    kept = steelyard.set_baseline(name, report, baselines=baselines, note=note)
    show(f"{kept.name}: kept in {baselines}{instead}; {_described(kept)}\n")


@app.command("list", cls=FlagCommand)
def list_(*, baselines: options.Baselines = "baselines", json: options.AsJson = False) -> None:
    """List the baselines."""
    found = list(steelyard.list_baselines(baselines))
    if json:
        listed = [{"name": kept.name, "kept_at": kept.kept_at, "note": kept.note} for kept in found]
        show(dumps({"schema": "steelyard.baselines/1", "baselines": listed}, indent=2) + "\n")
        return
    if not found:
        remark(f"{baselines}: no baseline is kept here; steelyard baseline set NAME RUN keeps one")
    for kept in found:
        show(f"{kept.name}: kept {kept.kept_at}; {_described(kept)}\n")


@app.command("show", cls=FlagCommand)
def show_(
    name: Name,
    *,
    baselines: options.Baselines = "baselines",
    format: Annotated[str, typer.Option(help=options.REPORT_FORMATS)] = "text",
    output: options.Output,
    details: options.Details = False,
) -> None:
    """Show a baseline: where it came from, and its report."""
    places = outputs(Report, format, output, details=details)
    kept = steelyard.read_baseline(name, baselines=baselines)
    remark(f"{kept.name}: kept {kept.kept_at}; {_described(kept)}")
    show_result(kept.report, places)


@app.command("remove", cls=FlagCommand)
def remove(name: Name, *, baselines: options.Baselines = "baselines") -> None:
    """Remove a baseline; the run or file that it was made of stays."""
    kept = steelyard.remove_baseline(name, baselines=baselines)
    show(f"{kept.name}: removed from {baselines}; {_described(kept)}\n")


def _described(kept: Baseline) -> str:
    note = f" ({visible(kept.note)})" if kept.note else ""
    return f"from {visible(kept.source)}{note}; {_weighed(kept.report.subjects)}"


def _weighed(subjects: Sequence[SubjectSummary]) -> str:
    names = list(dict.fromkeys(visible(subject.model) for subject in subjects))
    first = ", ".join(names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004  # a line has room for three
    return f"{first}{more}, {counted(sum(subject.samples for subject in subjects), 'sample')}"
