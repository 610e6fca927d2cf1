"""`steelyard runs`: what is in a folder or a bucket of runs."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import note, show
from steelyard.render.listed_runs import runs_as_json, runs_as_text


def runs(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="A folder or a bucket of runs.")] = "runs",
    *,
    json: options.AsJson = False,
) -> None:
    """List runs: when, which set and subjects, how far, pass rate and cost."""
    found = steelyard.list_runs(place)
    if json:
        show(runs_as_json(found))
    elif found:
        show(runs_as_text(found))
    else:
        note(f"{place}: no run is kept here; steelyard run EVALSET begins one")
