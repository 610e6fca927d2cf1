"""`steelyard export`: a run's rows into a file."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import show


def export(
    run: options.RunArgument,
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write; type by suffix: .parquet, .csv, .jsonl.",
        ),
    ],
    table: Annotated[
        str, typer.Option(help="Which rows: outcomes, or samples for the answers themselves.")
    ] = "outcomes",
    threads: options.Threads = None,
) -> None:
    """Write a run's rows to one file: Parquet, CSV or JSONL, sorted by case and attempt."""
    rows = steelyard.export_run(run, output, table=table, threads=threads)
    show(f"{output}: {table} {rows}\n")
