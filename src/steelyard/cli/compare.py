"""`steelyard compare` and `steelyard matrix`: compare two reports, or all subjects of one."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import note_sources, outputs, show_result
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.sample import SampleExcerpt


def compare(
    *,
    baseline: options.BaselineReport = "",
    current: options.CurrentReport,
    subjects: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Two subjects, each MODEL, TIER or MODEL@TIER; with --baseline, A is in the baseline.",
            metavar="A B",
        ),
    ] = None,
    threshold: Annotated[
        str, typer.Option(help="Largest score drop of a case that is no regression.")
    ] = "0.05",
    fail_on_regression: Annotated[
        bool,
        typer.Option(
            "--fail-on-regression", help="Exit with 1 if a case regressed, or if the reports share no case."
        ),
    ] = False,
    fail_on_missing: Annotated[
        bool,
        typer.Option(
            "--fail-on-missing", help="Exit with 1 if the current report lacks a case of the baseline."
        ),
    ] = False,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    details: options.Details = False,
    format: options.PairFormat = "text",
    output: options.Output,
) -> None:
    if not baseline and subjects is None:
        raise UserError("nothing to compare with: add --baseline REPORT, or --subjects A B of one report")
    destinations = outputs(Comparison, format, output, details=details)
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
    show_result(
        comparison, destinations, lambda: _load_samples(baseline or current, current, comparison, baselines)
    )
    is_missing = fail_on_missing and comparison.is_missing_cases
    if is_missing or (fail_on_regression and (comparison.regressions or not comparison.subjects)):
        raise typer.Exit(code=1)


def _load_samples(
    baseline: str, current: str, comparison: Comparison, baselines: str
) -> tuple[SampleExcerpt, ...]:
    from steelyard.app.compare import compared_samples  # noqa: PLC0415  # keeps `--help` fast

    return compared_samples(baseline, current, comparison, baselines=baselines)


def matrix(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report (JSON), a run or a baseline.")],
    *,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    format: Annotated[str, typer.Option(help="text, json, markdown or html.")] = "text",
    output: options.Output,
) -> None:
    destinations = outputs(SubjectMatrix, format, output)
    result = steelyard.matrix(report, baselines=baselines, require_integrity=require_integrity)
    show_result(result, destinations)
