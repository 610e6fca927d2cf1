"""`steelyard pass-at-k`: the pass@k table of outcome files, or of a folder of fixes."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.app.files import write_file
from steelyard.cli import arguments
from steelyard.cli.options import Map, repeated
from steelyard.cli.screen import note, show
from steelyard.errors import UserError
from steelyard.model.estimate import Target
from steelyard.model.options import ColumnMapping, Duplicates, Errors, Missing, ReportOptions
from steelyard.model.report import Report
from steelyard.render.numbers import bounded_interval, level, span
from steelyard.render.passk_table import pass_at_k_csv, pass_at_k_table


def pass_at_k(
    outcomes: Annotated[
        list[str] | None,
        typer.Argument(help="Outcome files (CSV, JSONL or Parquet) of any shape that `score` reads."),
    ] = None,
    *,
    problems_csv: Annotated[Path | None, typer.Option(help="A file of all expected cases.")] = None,
    fixes_csv: Annotated[list[str], repeated("Further outcome files; repeatable.", "--fixes-csv")],
    map: Map,
    k_values: Annotated[
        list[str],
        typer.Option(
            "--k-values",
            "--pass-k",
            metavar="K...",
            help="The k of pass@k: --k-values 1 5 10.",
            default_factory=lambda: ["1,5,10"],
            show_default="1 5 10",
        ),
    ],
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Evaluate the folder of fixes of these settings."),
    ] = None,
    save_to: Annotated[Path | None, typer.Option(help="Also write the table to this CSV file.")] = None,
    missing: Annotated[Missing, typer.Option(help="Result of a case without attempts.")] = Missing.FAIL,
    errors: Annotated[
        Errors, typer.Option(help="Result of an attempt with an empty `passed`.")
    ] = Errors.EXCLUDE,
    duplicates: Annotated[
        Duplicates, typer.Option(help="Handling of contradictory rows of one attempt.")
    ] = Duplicates.ERROR,
) -> None:
    files = [*(outcomes or []), *fixes_csv]
    if config is not None:
        if files or problems_csv is not None:
            raise UserError("--config names all files: remove --config, or the other files")
        _evaluate_folder(config)
        return
    options = ReportOptions(
        pass_k=arguments.ks(k_values, option="--k-values"),
        missing=missing,
        errors=errors,
        duplicates=duplicates,
    )
    if not files:
        raise UserError("no outcome files: add one, as in `steelyard pass-at-k outcomes.csv --k-values 1 5`")
    naming = ColumnMapping(columns=arguments.pairs(map, option="--map"))
    report = steelyard.score_files(files, problems=problems_csv, naming=naming, options=options)
    rows = [
        (name, [pass_rate.estimate.value for pass_rate in subject.pass_at_k])
        for name, subject in zip(row_names(report), report.subjects, strict=True)
    ]
    if save_to is not None:
        write_file(save_to, pass_at_k_csv(rows, options.ks))
    show(pass_at_k_table(rows, options.ks))
    note_intervals(report)
    note_coverage(report)


def row_names(report: Report) -> list[str]:
    """Name each row by its model, and by its tier if there are several."""
    has_tiers = len({subject.tier for subject in report.subjects}) > 1
    return [f"{subject.model}@{subject.tier}" if has_tiers else subject.model for subject in report.subjects]


def note_intervals(report: Report) -> None:
    """Report the interval of each pass@k, for new cases of the same kind."""
    for name, subject in zip(row_names(report), report.subjects, strict=True):
        intervals = {at.k: bounded_interval(Target.NEW_CASES, at.estimate) for at in subject.pass_at_k}
        known = ", ".join(f"pass@{k} {span(interval)}" for k, interval in intervals.items() if interval)
        if known:
            note(f"{name}: {level(report.settings.level)} intervals {known}")


def note_coverage(report: Report) -> None:
    """Report the coverage of each row."""
    for name, subject in zip(row_names(report), report.subjects, strict=True):
        coverage = subject.coverage
        note(
            f"{name}: {coverage.seen} of {coverage.expected} problems seen; "
            f"{coverage.missing} missing, {coverage.unknown} unknown, "
            f"{coverage.duplicate} duplicate rows, {coverage.errored} errored attempts"
        )
        for pass_rate in subject.pass_at_k:
            if pass_rate.estimate.value is None:
                note(f"{name}: pass@{pass_rate.k} is undefined: {pass_rate.estimate.detail}")
    for warning in report.warnings:
        if "--baseline-tier" not in warning:  # pass-at-k has no such option
            note(f"note: {warning}")


def _evaluate_folder(config: Path) -> None:
    evaluation = steelyard.evaluate_directory(steelyard.read_evaluation_config(config))
    for report in evaluation.reports:
        note_coverage(report)
    if evaluation.problems is None:
        note("note: no problems.csv; each file is expected to answer the problems it mentions")
    show(pass_at_k_table(evaluation.rows, evaluation.reports[0].settings.pass_k))
    note(f"summary: {evaluation.written[-1]}")
