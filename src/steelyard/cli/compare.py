"""`steelyard compare`: two reports side by side, under the threshold rule."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import note_sources, outputs, show_result
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.sample import SampleExcerpt


def compare(
    *,
    baseline: options.BaselineReport = "",
    current: options.CurrentReport,
    subjects: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Two subjects, each MODEL, TIER or MODEL@TIER: A of the baseline, if there is one, and B.",
            metavar="A B",
        ),
    ] = None,
    threshold: Annotated[
        str, typer.Option(help="A case regresses when its score falls by strictly more than this.")
    ] = "0.05",
    fail_on_regression: Annotated[
        bool,
        typer.Option("--fail-on-regression", help="Exit with 1 if any case regressed, or none is shared."),
    ] = False,
    fail_on_missing: Annotated[
        bool,
        typer.Option(
            "--fail-on-missing", help="Exit with 1 if a case of the baseline has nothing to stand beside it."
        ),
    ] = False,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    details: options.Details = False,
    format: options.PairFormat = "text",
    output: options.Output,
) -> None:
    """Compare two reports case by case, or two subjects of one."""
    if not baseline and subjects is None:
        raise UserError("compare with what? Give --baseline REPORT, or --subjects A B of one report")
    places = outputs(Comparison, format, output, details=details)
    limit = arguments.number(threshold, option="--threshold")
    comparison = steelyard.compare(
        baseline or current,
        current,
        subjects=subjects,
        threshold=limit,
        baselines=baselines,
        require_integrity=require_integrity,
    )
    note_sources(baseline or current, current, baselines, form=format)
    show_result(comparison, places, lambda: _samples(baseline or current, current, comparison, baselines))
    is_missing = fail_on_missing and comparison.is_missing_cases
    if is_missing or (fail_on_regression and (comparison.regressions or not comparison.subjects)):
        raise typer.Exit(code=1)


def _samples(
    baseline: str, current: str, comparison: Comparison, baselines: str
) -> tuple[SampleExcerpt, ...]:
    from steelyard.app.compare import compared_samples  # noqa: PLC0415  # `--help` loads no libraries

    return compared_samples(baseline, current, comparison, baselines=baselines)
