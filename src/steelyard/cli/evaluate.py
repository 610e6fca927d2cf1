"""`steelyard evaluate`: pass@k of a whole folder of repairs."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.pass_at_k import note_coverage
from steelyard.cli.screen import note, show
from steelyard.render.passk_table import pass_at_k_table


def evaluate(
    config: Annotated[Path, typer.Option(help="The settings.")] = Path("evaluation_config.json"),
) -> None:
    """Evaluate a whole folder of fixes and write a summary."""
    found = steelyard.evaluate_directory(steelyard.read_evaluation_config(config))
    for report in found.reports:
        note_coverage(report)
    if found.problems is None:
        note("note: there is no problems.csv; every problem that a file mentions was expected of that file")
    show(pass_at_k_table(found.rows, found.reports[0].settings.pass_k))
    note(f"summary: {found.written[-1]}")
