"""`steelyard export`: a run's rows into a file, or a log for another tool."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import note, show
from steelyard.errors import UserError


def export(
    run: options.RunArgument,
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write; type by suffix: .parquet, .csv, .jsonl. With --to: a folder.",
        ),
    ],
    table: Annotated[
        str, typer.Option(help="Which rows: outcomes, samples (the answers), or marks made in the viewer.")
    ] = "outcomes",
    eval_set: Annotated[
        str | None,
        typer.Option(
            metavar="EVALSET",
            help="With --table samples: as answers to the cases of this set that ask the same.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="TOOL",
            help="Write for a tool: inspect, evalplus, swe-bench, every-eval-ever, hf-dataset.",
        ),
    ] = None,
    threads: options.Threads = None,
) -> None:
    """Write a run's rows to one file (Parquet, CSV or JSONL), or a log for another tool."""
    if to is not None:
        if eval_set is not None:
            raise UserError("--eval-set has an effect without --to only; leave one of them out")
        written = steelyard.export_log(run, output, to=to, threads=threads)
        for one in written.left_out:
            note(f"left out: {one.what} {one.count} ({one.why})")
        show("".join(f"{file}\n" for file in written.files))
        return
    rows = steelyard.export_run(run, output, table=table, eval_set=eval_set, threads=threads)
    show(f"{output}: {table} {rows}\n")
