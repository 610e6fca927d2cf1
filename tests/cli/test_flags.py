"""Errors name parameters; the command line spells them as its own options."""

from typing import Annotated

import pytest
import typer
from typer.main import get_command

from steelyard.cli.flags import with_flags
from tests.commands import typed


def command(
    *,
    max_usd: str | None = None,
    every: Annotated[bool, typer.Option("--all")] = False,
    duplicates: str = "error",
    path: Annotated[str, typer.Argument()] = "x",
) -> None:
    """Do nothing."""


app = typer.Typer(add_completion=False)
app.command()(command)
PARAMETERS = get_command(app).params


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("`max_usd`: expected a number", "--max-usd: expected a number"),
        ("choose `duplicates=first` or `duplicates=last`", "choose --duplicates first or --duplicates last"),
        ("`every=True` checks them", "--all checks them"),
        ("`all` checks them", "--all checks them"),
        ("the column `case` is missing", "the column `case` is missing"),
        ("`path` is an argument", "`path` is an argument"),
        ("see `steelyard regrade`", "see `steelyard regrade`"),
        ("nothing to spell", "nothing to spell"),
    ],
)
def test_only_options_of_the_command_are_spelt_as_flags(message: str, expected: str) -> None:
    assert with_flags(message, PARAMETERS) == expected


def test_a_command_in_a_group_spells_its_options_too(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "init", "there", "--set", "cobol")

    assert shown.code == 2
    assert shown.err.startswith("error: --set cobol: no such eval set; choose from ")


def test_an_error_names_the_variable_that_it_speaks_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEELYARD_RUN_REPLAY", "/no/such/file")
    monkeypatch.setenv("STEELYARD_RUN_QUIET", "1")  # which has nothing to do with it
    monkeypatch.setenv("STEELYARD_RUN_SAMPLES", "7")
    by_variable = typed(capsys, "run", "python-basics", "--dry-run")
    typed_here = typed(capsys, "run", "python-basics", "--dry-run", "--replay", "/no/such/other")
    monkeypatch.setenv("STEELYARD_INIT_SET", "cobol")
    by_own_name = typed(capsys, "init", "there")

    assert by_variable.err.endswith("No such file or directory (STEELYARD_RUN_REPLAY is set)\n")
    assert typed_here.err.endswith("No such file or directory\n")
    assert by_own_name.err.endswith(" (STEELYARD_INIT_SET is set)\n")


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_a_third_report_is_one_too_many(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, command, "a", "b", "c")

    assert shown.code == 2
    assert shown.err == "error: expected at most two reports, baseline and current; got a, b, c\n"
