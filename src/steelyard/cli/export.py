"""`steelyard export`: write a run's rows, or a log for another tool."""

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
            help="The output file; type by suffix: .parquet, .csv, .jsonl. With --to: a folder.",
        ),
    ],
    table: Annotated[
        str, typer.Option(help="Rows: outcomes, samples (the answers), or marks (made in the viewer).")
    ] = "outcomes",
    eval_set: Annotated[
        str | None,
        typer.Option(
            metavar="EVALSET",
            help="With --table samples: rows of this set's cases that have the same prompt.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="TOOL",
            help="Target tool: inspect, evalplus, swe-bench, every-eval-ever, hf-dataset.",
        ),
    ] = None,
    threads: options.Threads = None,
) -> None:
    if to is not None:
        if eval_set is not None:
            raise UserError("--eval-set and --to exclude each other; remove one of them")
        written = steelyard.export_log(run, output, to=to, threads=threads)
        for omission in written.left_out:
            note(f"left out: {omission.what} {omission.count} ({omission.why})")
        show("".join(f"{file}\n" for file in written.files))
        return
    rows = steelyard.export_run(run, output, table=table, eval_set=eval_set, threads=threads)
    show(f"{output}: {table} {rows}\n")
