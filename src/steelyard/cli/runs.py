"""`steelyard runs` and `steelyard merge`: list stored runs and merge shards."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import note, show
from steelyard.render.listed_runs import runs_as_json, runs_as_text


def runs(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="A folder or a bucket of runs.")] = "runs",
    *,
    json: options.AsJson = False,
) -> None:
    stored = steelyard.list_runs(address)
    if json:
        show(runs_as_json(stored))
    elif stored:
        show(runs_as_text(stored))
    else:
        note(f"{address}: no runs; start one with `steelyard run EVALSET`")


def merge(
    shards: Annotated[list[str], typer.Argument(metavar="RUN...", help="All shards, in any order.")],
    *,
    into: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The merged run: a new folder, or s3://bucket/runs/1.")
    ],
) -> None:
    manifest = steelyard.merge(shards, into, notify=note).manifest
    show(
        f"{into}: {len(shards)} shards, cases {len(manifest.cases)}, subjects {len(manifest.subjects)}, "
        f"samples of each case {manifest.planned_samples}\n"
    )
