"""`steelyard history`: the kept baselines in the order of time."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.output import outputs, show_result
from steelyard.model.history import History


def history(
    *,
    baselines: options.Baselines = "baselines",
    alpha: Annotated[float, typer.Option(help="The largest chance of a change that is none.")] = 0.05,
    format: Annotated[str, typer.Option(help="text, json, markdown or html.")] = "text",
    output: options.Output,
) -> None:
    """Follow the kept baselines through time, and say where the pass rate changed."""
    places = outputs(History, format, output)
    show_result(steelyard.history(baselines, alpha=alpha), places)
