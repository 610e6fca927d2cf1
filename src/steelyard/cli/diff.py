"""`steelyard diff`: two answers to one case side by side."""

import shutil
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import show
from steelyard.render.answers import side_by_side

Before = Annotated[str, typer.Argument(metavar="RUN_A", help="A run.")]
After = Annotated[str, typer.Argument(metavar="RUN_B", help="Another run.")]
Case = Annotated[str, typer.Argument(help="A case by its id.")]
Attempt = Annotated[
    int | None, options.plain("Which answer, from 0; by default the first that ended differently.", min=0)
]
Subject = Annotated[str | None, options.plain("Whose answers: MODEL or MODEL@TIER.")]


def diff(
    run_a: Before, run_b: After, case: Case, *, attempt: Attempt = None, subject: Subject = None
) -> None:
    """Show the answers of two runs to one case side by side."""
    first, second = steelyard.diff_answers(run_a, run_b, case, attempt=attempt, subject=subject)
    show(side_by_side(first, second, width=shutil.get_terminal_size().columns))
