"""`steelyard pass-at-k`: the table of pass@k of outcome files."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.app.files import write_file
from steelyard.cli import arguments
from steelyard.cli.options import Map, repeated
from steelyard.cli.screen import note, show
from steelyard.errors import UserError
from steelyard.model.options import ColumnMapping, Duplicates, Errors, Missing, ReportOptions
from steelyard.model.report import Report
from steelyard.render.passk_table import pass_at_k_csv, pass_at_k_table


def pass_at_k(
    outcomes: Annotated[
        list[str] | None,
        typer.Argument(help="Outcome files (CSV, JSONL or Parquet) of any shape that `score` reads."),
    ] = None,
    *,
    problems_csv: Annotated[
        Path | None, typer.Option(help="The cases that should have been answered, as a file.")
    ] = None,
    fixes_csv: Annotated[
        list[str], repeated("Outcome files too: the old way to name them; repeatable.", "--fixes-csv")
    ],
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
    save_to: Annotated[Path | None, typer.Option(help="Also write the table to this CSV file.")] = None,
    missing: Annotated[Missing, typer.Option(help="What a case without attempts counts as.")] = Missing.FAIL,
    errors: Annotated[
        Errors, typer.Option(help="What an attempt counts as when `passed` is empty.")
    ] = Errors.EXCLUDE,
    duplicates: Annotated[
        Duplicates, typer.Option(help="What to do when two rows disagree on one attempt.")
    ] = Duplicates.ERROR,
) -> None:
    """Print the table of pass@k for one or more models."""
    options = ReportOptions(
        pass_k=arguments.ks(k_values, option="--k-values"),
        missing=missing,
        errors=errors,
        duplicates=duplicates,
    )
    files = [*(outcomes or []), *fixes_csv]
    if not files:
        raise UserError("name the outcome files: steelyard pass-at-k outcomes.csv --k-values 1 5")
    naming = ColumnMapping(columns=arguments.pairs(map, option="--map"))
    report = steelyard.score_files(files, problems=problems_csv, naming=naming, options=options)
    rows = [
        (name, [found.estimate.value for found in subject.pass_at_k])
        for name, subject in zip(row_names(report), report.subjects, strict=True)
    ]
    if save_to is not None:
        write_file(save_to, pass_at_k_csv(rows, options.ks))
    show(pass_at_k_table(rows, options.ks))
    note_coverage(report)


def row_names(report: Report) -> list[str]:
    """Return what tells the rows apart: the model, and the tier where there are several."""
    has_tiers = len({subject.tier for subject in report.subjects}) > 1
    return [f"{one.model}@{one.tier}" if has_tiers else one.model for one in report.subjects]


def note_coverage(report: Report) -> None:
    """Say what was left out of each row's numbers."""
    for name, subject in zip(row_names(report), report.subjects, strict=True):
        coverage = subject.coverage
        note(
            f"{name}: {coverage.seen} of {coverage.expected} problems seen; "
            f"{coverage.missing} missing, {coverage.unknown} unknown, "
            f"{coverage.duplicate} duplicate rows, {coverage.errored} errored attempts"
        )
        for found in subject.pass_at_k:
            if found.estimate.value is None:
                note(f"{name}: pass@{found.k} is not defined: {found.estimate.detail}")
    for warning in report.warnings:
        if "--baseline-tier" not in warning:  # the table compares no tiers, and has no such option
            note(f"note: {warning}")
