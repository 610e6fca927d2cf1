"""`steelyard show`: single answers of a run, or beside those of another run."""

import shlex
import shutil
import sys
from pydoc import pager
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import show as show_text
from steelyard.errors import UserError
from steelyard.render.answers import answers_as_text, side_by_side
from steelyard.render.document.summary import failed_most
from steelyard.render.names import visible
from steelyard.render.run_progress import excluded_cases


def show(
    run: options.RunArgument,
    case: Annotated[str | None, typer.Argument(help="The id of a case. Default: list failed cases.")] = None,
    attempt: Annotated[
        int | None, typer.Argument(min=0, help="Answer number, from 0; shows its text.")
    ] = None,
    *,
    subject: Annotated[
        str | None, options.plain("Only answers of this subject: MODEL or MODEL@TIER.")
    ] = None,
    beside: Annotated[
        str | None,
        options.plain(
            "Show the answer of this run beside it. Default answer: the first with different results.",
            metavar="RUN",
        ),
    ] = None,
) -> None:
    if case is None:
        if beside is not None:
            raise UserError("--beside requires a case: use `steelyard show RUN CASE --beside RUN`")
        _show_paged(_list_failures(run))
    elif beside is not None:
        first, second = steelyard.diff_answers(run, beside, case, attempt=attempt, subject=subject)
        show_text(side_by_side(first, second, width=shutil.get_terminal_size().columns))
    else:
        answers = steelyard.show_answers(run, case, attempt=attempt, subject=subject)
        _show_paged(answers_as_text(answers, with_text=attempt is not None or len(answers) == 1))


def _list_failures(run: str) -> str:
    report = steelyard.report_run(run)
    lines = [
        f"{visible(name[1])}: {failed} of {samples} failed" for name, failed, samples in failed_most(report)
    ]
    excluded = steelyard.open_run(run).manifest.excluded
    notes = [excluded_cases(excluded)] if excluded else []
    if not lines:
        hint = f"nothing failed; show answers with `steelyard show {shlex.quote(run)} CASE`"
        return "\n".join([*notes, hint, ""])
    worst = visible(failed_most(report)[0][0][1])
    return "\n".join([*notes, *lines, f"next: steelyard show {shlex.quote(run)} {shlex.quote(worst)}", ""])


def _show_paged(text: str) -> None:
    """Print a text, on a terminal by the pager."""
    if sys.stdout.isatty():
        pager(text)
    else:
        show_text(text)
