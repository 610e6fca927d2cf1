"""`steelyard compare`: two reports side by side, under the threshold rule."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, output
from steelyard.cli.baseline import Baselines


def compare(
    *,
    baseline: Annotated[
        str,
        typer.Option(
            metavar="REPORT", help="A report (JSON), a run or the name of a baseline, to compare with."
        ),
    ],
    current: Annotated[str, typer.Option(metavar="REPORT", help="A report (JSON) or a run to judge.")],
    threshold: Annotated[
        str, typer.Option(help="A case regresses when its score falls by strictly more than this.")
    ] = "0.05",
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit with 1 if any case regressed.")
    ] = False,
    fail_on_missing: Annotated[
        bool,
        typer.Option(
            "--fail-on-missing", help="Exit with 1 if a case of the baseline has nothing to stand beside it."
        ),
    ] = False,
    baselines: Baselines = "baselines",
    form: Annotated[
        str,
        typer.Option(
            "--format", envvar="STEELYARD_COMPARE_FORMAT", help="text, json, markdown, html or junit."
        ),
    ] = "text",
    out: Annotated[
        list[Path],
        typer.Option(
            "--output",
            "-o",
            envvar="STEELYARD_COMPARE_OUTPUT",
            metavar="FILE",
            help="Also write a file; type by suffix; repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
) -> None:
    """Compare two reports case by case."""
    places = output.comparison_places(form, out)
    comparison = steelyard.compare_reports(
        steelyard.find_report(baseline, baselines=baselines)[0],
        steelyard.report_at(current),
        threshold=arguments.number(threshold, option="--threshold"),
    )
    output.show_comparison(comparison, places)
    if fail_on_regression and comparison.regressions:
        raise typer.Exit(code=1)
    if fail_on_missing and comparison.is_missing_cases:
        raise typer.Exit(code=1)
