"""`steelyard merge`: shards of a run into one run."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli.screen import note, show


def merge(
    shards: Annotated[list[str], typer.Argument(metavar="RUN...", help="All shards, in any order.")],
    *,
    into: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to: a new folder, or s3://bucket/runs/1.")
    ],
) -> None:
    """Make one run of the shards that `run --shard` made."""
    run = steelyard.merge(shards, into, notify=note)
    kept = run.manifest
    show(
        f"{into}: {len(shards)} shards, cases {len(kept.cases)}, subjects {len(kept.subjects)}, "
        f"samples of each case {kept.planned_samples}\n"
    )
