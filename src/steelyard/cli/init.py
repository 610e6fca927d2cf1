"""`steelyard init`: begin with a small working eval set."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.options import plain, repeated
from steelyard.cli.screen import show
from steelyard.errors import UserError

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
    from_pytest: Annotated[
        Path | None,
        plain("Make an eval set of a folder of tests, a case for each test file.", metavar="TESTS"),
    ] = None,
    modules_under_test: Annotated[
        list[Path],
        repeated(
            "With --from-pytest: a module under test, the reference of its case; repeatable.",
            "--module-under-test",
            envvar="STEELYARD_INIT_MODULE_UNDER_TEST",
            metavar="FILE",
        ),
    ],
) -> None:
    """Create a small working eval set and config, or an eval set of own tests. Never overwrites files."""
    if modules_under_test and from_pytest is None:
        raise UserError("--module-under-test belongs to --from-pytest: name the folder of tests too")
    written = steelyard.init(
        folder,
        sets=sets,
        from_csv=from_csv,
        from_pytest=from_pytest,
        modules_under_test=modules_under_test,
    )
    lines = [f"wrote {path}" for path in written]
    first = written[0] if from_csv or from_pytest else _next_set(folder, sets)
    show("\n".join([*lines, f"next: steelyard validate {shlex.quote(str(first))} --references", ""]))


def _next_set(folder: Path, sets: list[str]) -> Path:
    """Return the set to look at next: the first that was asked for, which is a file or a folder."""
    if not sets:
        return folder / FIRST_SET
    asked = (folder / FIRST_SET).with_name(sets[0])
    return asked if asked.is_dir() else asked.with_name(f"{sets[0]}.toml")
