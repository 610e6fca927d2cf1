"""The help of each command ends with examples, and each of them is a command that can be typed."""

import os
import shlex
import subprocess
import sys
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from steelyard.cli.examples import EXAMPLES
from steelyard.cli.flags import spread_values
from steelyard.cli.main import app
from tests.commands import typed
from tests.docs.option_tables import command_names

LINES = [(command, line) for command, lines in EXAMPLES.items() for line in lines]


def parsed(words: list[str]) -> Context:
    """Parse what was typed, down to the command itself, and run nothing."""
    command: Any = get_command(app)
    context: Any = command.make_context("steelyard", words, resilient_parsing=False)
    while hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)
    found: Context = context
    return found


def test_every_command_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(command_names())
    assert all(EXAMPLES.values())


@pytest.mark.parametrize(("command", "line"), LINES, ids=[line for _, line in LINES])
def test_an_example_parses(command: str, line: str) -> None:
    assert line.startswith(command)
    assert parsed(spread_values(shlex.split(line))).command_path == f"steelyard {command}"


def test_an_example_that_does_not_parse_would_be_seen() -> None:
    with pytest.raises(Exception, match="No such option"):
        parsed(["score", "outcomes.csv", "--no-such-option"])


@pytest.mark.parametrize("command", ["score", "baseline set"])
def test_help_ends_with_examples_and_names_variables_in_one_place(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, *command.split(), "--help").out

    assert shown.index("Examples:\n  steelyard " + EXAMPLES[command][0]) > shown.index("--help")
    assert shown.count("STEELYARD_") == 2
    assert "Environment: STEELYARD_" in shown


def test_help_shows_no_type_for_a_flag(capsys: pytest.CaptureFixture[str]) -> None:
    assert "bool" not in typed(capsys, "run", "--help").out


@pytest.mark.parametrize(("line", "wanted"), [("pla", "plan"), ("score --pass-", "--pass-k")])
def test_a_shell_can_complete_commands_and_options(line: str, wanted: str) -> None:
    variables = {"_STEELYARD_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": f"steelyard {line}"}

    done = subprocess.run(
        [sys.executable, "-m", "steelyard"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )

    assert f'"{wanted}":' in done.stdout
