"""`steelyard init`: create a small working eval set."""

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
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The target folder.")] = Path(),
    *,
    sets: Annotated[
        list[str],
        repeated(
            "Also copy a shipped eval set, such as rust-basics; repeatable.",
            "--set",
            envvar="STEELYARD_INIT_SET",
            metavar="NAME",
        ),
    ],
    from_csv: Annotated[
        Path | None,
        plain("Only make an eval set from a table of prompts and tests.", metavar="FILE"),
    ] = None,
    from_pytest: Annotated[
        Path | None,
        plain(
            "Only make an eval set from a folder of pytest tests: one case per test file.", metavar="TESTS"
        ),
    ] = None,
    modules_under_test: Annotated[
        list[Path],
        repeated(
            "With --from-pytest: a module under test, used as reference; repeatable.",
            "--module-under-test",
            envvar="STEELYARD_INIT_MODULE_UNDER_TEST",
            metavar="FILE",
        ),
    ],
) -> None:
    if modules_under_test and from_pytest is None:
        raise UserError("--module-under-test requires --from-pytest: add the folder of tests")
    written = steelyard.init(
        folder,
        sets=sets,
        from_csv=from_csv,
        from_pytest=from_pytest,
        modules_under_test=modules_under_test,
    )
    lines = [f"wrote {path}" for path in written]
    first = written[0] if from_csv or from_pytest else _choose_set(folder, sets)
    show("\n".join([*lines, f"next: steelyard validate {shlex.quote(str(first))} --references", ""]))


def _choose_set(folder: Path, sets: list[str]) -> Path:
    """Return the first requested set, or the default one."""
    if not sets:
        return folder / FIRST_SET
    requested = (folder / FIRST_SET).with_name(sets[0])
    return requested if requested.is_dir() else requested.with_name(f"{sets[0]}.toml")
