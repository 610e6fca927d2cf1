"""`steelyard compare`: compare two reports, two subjects of one report, or all of its subjects."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import note_sources, outputs, show_result
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.outcome import Integrity
from steelyard.model.sample import SampleExcerpt


def compare(
    *,
    baseline: options.BaselineReport = "",
    current: options.CurrentReport,
    model: options.Renames,
    subjects: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Two subjects: MODEL, TIER or MODEL@TIER; with --baseline, A is in that. Default: all.",
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
        if fail_on_regression or fail_on_missing:
            raise UserError("--fail-on-regression and --fail-on-missing require --baseline: add a report")
        _compare_all_subjects(current, baselines, integrity=require_integrity, form=format, output=output)
        return
    destinations = outputs(Comparison, format, output, details=details)
    limit = arguments.number(threshold, option="--threshold")
    baseline = baseline or current
    comparison = steelyard.compare(
        baseline,
        current,
        subjects=subjects,
        models=arguments.pairs(model, option="--model"),
        threshold=limit,
        baselines=baselines,
        require_integrity=require_integrity,
    )
    note_sources(baseline, current, baselines, form=format)
    show_result(comparison, destinations, lambda: _load_samples(baseline, current, comparison, baselines))
    is_missing = fail_on_missing and comparison.is_missing_cases
    if is_missing or (fail_on_regression and (comparison.regressions or not comparison.subjects)):
        raise typer.Exit(code=1)


def _load_samples(
    baseline: str, current: str, comparison: Comparison, baselines: str
) -> tuple[SampleExcerpt, ...]:
    from steelyard.app.compare import compared_samples  # noqa: PLC0415  # keeps `--help` fast

    return compared_samples(baseline, current, comparison, baselines=baselines)


def _compare_all_subjects(
    report: str, baselines: str, *, integrity: Integrity | None, form: str, output: list[Path]
) -> None:
    destinations = outputs(SubjectMatrix, form, output)
    matrix = steelyard.matrix(report, baselines=baselines, require_integrity=integrity)
    show_result(matrix, destinations)
