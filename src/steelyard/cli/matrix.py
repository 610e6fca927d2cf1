"""`steelyard matrix`: all subjects of one report beside each other."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.output import outputs, show_result
from steelyard.model.matrix import SubjectMatrix


def matrix(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report (JSON), a run or a baseline.")],
    *,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    format: Annotated[str, typer.Option(help="text, json, markdown or html.")] = "text",
    output: options.Output,
) -> None:
    """Compare all subjects of one report with each other, and say which are too close to call."""
    places = outputs(SubjectMatrix, format, output)
    found = steelyard.matrix(report, baselines=baselines, require_integrity=require_integrity)
    show_result(found, places)
