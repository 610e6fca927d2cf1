"""`steelyard init`: begin with a small working eval set."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.options import plain, repeated
from steelyard.cli.screen import show

FIRST_SET = "eval-sets/first.toml"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to: this folder, or another.")
    ] = Path(),
    *,
    sets: Annotated[
        list[str],
        repeated(
            "Copy a shipped eval set too, such as rust-basics; repeatable.",
            "--set",
            envvar="STEELYARD_INIT_SET",
            metavar="NAME",
        ),
    ],
    from_csv: Annotated[
        Path | None,
        plain("Make an eval set of a table of prompts and tests, and nothing else.", metavar="FILE"),
    ] = None,
) -> None:
    """Write a small working eval set and what belongs beside it; nothing that is there is touched."""
    written = steelyard.init(folder, sets=sets, from_csv=from_csv)
    lines = [f"wrote {path}" for path in written]
    first = written[0] if from_csv is not None else _next_set(folder, sets)
    show("\n".join([*lines, f"next: steelyard validate {shlex.quote(str(first))} --references", ""]))


def _next_set(folder: Path, sets: list[str]) -> Path:
    """Return the set to look at next: the first that was asked for, which is a file or a folder."""
    if not sets:
        return folder / FIRST_SET
    asked = (folder / FIRST_SET).with_name(sets[0])
    return asked if asked.is_dir() else asked.with_name(f"{sets[0]}.toml")
