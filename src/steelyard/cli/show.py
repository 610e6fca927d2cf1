"""`steelyard show`: single answers of a run."""

import shlex
import sys
from pydoc import pager
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import show as show_text
from steelyard.render.answers import answers_as_text
from steelyard.render.document.summary import failed_most
from steelyard.render.excluded import excluded_cases
from steelyard.render.names import visible

Case = Annotated[str | None, typer.Argument(help="A case by its id; without one, what failed is listed.")]
Attempt = Annotated[int | None, typer.Argument(min=0, help="Which answer, from 0; shows its text.")]
Subject = Annotated[str | None, options.plain("Whose answers: MODEL or MODEL@TIER.")]


def show(
    run: options.RunArgument, case: Case = None, attempt: Attempt = None, *, subject: Subject = None
) -> None:
    """Show the answers of a run to a case, or one of them with prompt, text and check."""
    if case is None:
        _shown(_failed(run))
        return
    found = steelyard.show_answers(run, case, attempt=attempt, subject=subject)
    _shown(answers_as_text(found, with_text=attempt is not None or len(found) == 1))


def _failed(run: str) -> str:
    report = steelyard.report_run(run)
    lines = [
        f"{visible(name[1])}: {failed} of {samples} failed" for name, failed, samples in failed_most(report)
    ]
    excluded = steelyard.open_run(run).manifest.excluded
    left_out = [excluded_cases(excluded)] if excluded else []
    if not lines:
        nothing = f"nothing failed; steelyard show {shlex.quote(run)} CASE shows the answers to a case"
        return "\n".join([*left_out, nothing, ""])
    worst = visible(failed_most(report)[0][0][1])
    return "\n".join([*left_out, *lines, f"next: steelyard show {shlex.quote(run)} {shlex.quote(worst)}", ""])


def _shown(text: str) -> None:
    """Print a text; on a terminal, in a pager if it is long."""
    if sys.stdout.isatty():
        pager(text)
    else:
        show_text(text)
