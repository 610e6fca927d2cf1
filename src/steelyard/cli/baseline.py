"""`steelyard baseline`: reports kept under names, for `compare`, `gate` and `ci` to compare with."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import output
from steelyard.model.baseline import Baseline
from steelyard.model.report import SubjectSummary
from steelyard.render.names import visible

Name = Annotated[str, typer.Argument(help="What it is called, such as main.")]
Baselines = Annotated[
    str,
    typer.Option(
        envvar="STEELYARD_BASELINES",
        metavar="PLACE",
        help="Where baselines are kept: a folder, or such as s3://bucket/baselines.",
    ),
]

app = typer.Typer(
    name="baseline",
    help="Keep reports under names, to compare with.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("set")
def set_(
    name: Name,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report (JSON) or a run.")],
    *,
    baselines: Baselines = "baselines",
    note: Annotated[str | None, typer.Option(help="What to remember of it, such as a commit.")] = None,
) -> None:
    """Keep a report under a name; one that has it already is replaced."""
    kept = steelyard.set_baseline(name, report, baselines=baselines, note=note)
    output.show(f"{kept.name}: kept in {baselines}; {_described(kept)}\n")


@app.command("list")
def list_(*, baselines: Baselines = "baselines") -> None:
    """Tell which baselines there are."""
    found = list(steelyard.list_baselines(baselines))
    if not found:
        output.note(f"{baselines}: no baseline is kept here; steelyard baseline set NAME RUN keeps one")
    for kept in found:
        output.show(f"{kept.name}: kept {kept.kept_at}; {_described(kept)}\n")


@app.command()
def show(
    name: Name,
    *,
    baselines: Baselines = "baselines",
    form: Annotated[
        str,
        typer.Option(
            "--format",
            envvar="STEELYARD_BASELINE_SHOW_FORMAT",
            help="text, json, markdown, csv, html, junit or sarif.",
        ),
    ] = "text",
    out: Annotated[
        list[Path],
        typer.Option(
            "--output",
            "-o",
            envvar="STEELYARD_BASELINE_SHOW_OUTPUT",
            metavar="FILE",
            help="Also write a file; type by suffix; repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
) -> None:
    """Show a baseline: where it came from, and its report."""
    places = output.report_places(form, out)
    kept = steelyard.read_baseline(name, baselines=baselines)
    output.note(f"{kept.name}: kept {kept.kept_at}; {_described(kept)}")
    output.show_report(kept.report, places)


def _described(kept: Baseline) -> str:
    note = f" ({visible(kept.note)})" if kept.note else ""
    return f"from {visible(kept.source)}{note}; {_weighed(kept.report.subjects)}"


def _weighed(subjects: Sequence[SubjectSummary]) -> str:
    names = [visible(subject.model) for subject in subjects]
    first = ", ".join(dict.fromkeys(names[:3]))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004  # a line has room for three
    return f"{first}{more}, {sum(subject.samples for subject in subjects):,} samples"
