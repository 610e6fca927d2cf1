"""Run what a page shows, in a fresh copy of the examples, and keep what it printed.

A line of a console block that begins with `$ ` is a command, one that begins with `> ` right below goes on
with it, and what follows is what a terminal shows. The Python blocks of a page share their names.
"""

import os
import secrets
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from doctest import DocTestParser, Example
from io import StringIO
from itertools import groupby
from pathlib import Path
from shutil import copytree, ignore_patterns
from traceback import format_exception_only
from typing import Any

from tests.docs.pages import Block, Page
from tests.docs.preloaded import BIN, program_folder
from tests.repo.package import REPOSITORY

PROMPT, CONTINUED = "$ ", "> "
BLANK = "<BLANKLINE>"
LIMIT_S = 900.0  # ends a page that hangs; one that starts Ray takes 20 s on two quiet cores
# Nothing else of whoever runs the tests may show in the output.
KEPT = ("HOME", "TMPDIR", "TEMP", "SYSTEMROOT")
FIXED = {
    "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    "PYTHONUNBUFFERED": "1",  # so that errors and results come in the order a terminal shows
    "COLUMNS": "80",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "LC_ALL": "C.UTF-8",
    # On a busy machine a command would last long enough to show its progress.
    **{f"STEELYARD_{command}_QUIET": "1" for command in ("RUN", "REGRADE", "GATE")},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page shows between two of its lines, and what was there to be shown."""

    command: str
    first: int
    expected: tuple[str, ...]
    got: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a console block; `first` is the place in the page of what it prints."""

    text: str
    first: int
    expected: tuple[str, ...]


def run_page(page: Page, folder: Path) -> list[Shown]:
    """Run every console and Python block of a page, in order."""
    room = folder / "examples"
    copytree(REPOSITORY / "examples", room, ignore=ignore_patterns("__pycache__"))
    names: dict[str, Any] = {}
    shown: list[Shown] = []
    for language, blocks in groupby(page.blocks, key=lambda block: block.language):
        if language == "console":
            commands = [command for block in blocks for command in commands_of(block)]
            shown += _run_commands(commands, room)
        elif language == "python":
            with chdir(room):
                shown += [found for block in blocks for found in _run_python(block, names, page)]
    return shown


def commands_of(block: Block) -> Iterator[Command]:
    """Take a console block apart."""
    place, lines = 0, block.lines
    while place < len(lines):
        if not lines[place].startswith(PROMPT):
            raise ValueError(f"line {block.first + place + 1}: a console block begins with a command: $ …")
        text = [lines[place].removeprefix(PROMPT)]
        place += 1
        while place < len(lines) and lines[place].startswith(CONTINUED.rstrip()):
            text.append(lines[place].removeprefix(CONTINUED.rstrip()).removeprefix(" "))
            place += 1
        start = place
        while place < len(lines) and not lines[place].startswith(PROMPT):
            place += 1
        yield Command(text="\n".join(text), first=block.first + start, expected=tuple(lines[start:place]))


def _run_commands(commands: Sequence[Command], room: Path) -> list[Shown]:
    """Run commands in one shell, so that variables and the last exit code live on."""
    marker = f"<end of output {secrets.token_hex(8)}>"
    # The marker hands the exit code on, so that a page may ask for it.
    head = f"exec 2>&1\n_end() {{ local code=$?; printf '%s' '{marker}'; return $code; }}\n"
    script = room.parent / "page.sh"
    script.write_text(head + "".join(f"{command.text}\n_end\n" for command in commands), encoding="utf-8")
    env = {**{name: value for name, value in os.environ.items() if name.startswith(KEPT)}, **FIXED}
    programs = program_folder(tuple(env.items()))
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", str(script)],
        cwd=room,
        env={**env, "PATH": f"{programs}{os.pathsep}{env['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=LIMIT_S,
    )
    outputs = done.stdout.decode().split(marker)
    if len(outputs) != len(commands) + 1:
        raise RuntimeError(f"the shell stopped early:\n{outputs[-1]}")
    return [
        Shown(
            command=command.text,
            first=command.first,
            expected=command.expected,
            got=tuple(line.rstrip() for line in output.splitlines()),
        )
        for command, output in zip(commands, outputs, strict=False)
    ]


def _run_python(block: Block, names: dict[str, Any], page: Page) -> list[Shown]:
    text = "\n".join(block.lines) + "\n"
    if ">>> " not in text:
        exec(compile("\n" * block.first + text, page.name, "exec"), names)  # noqa: S102  # our own pages
        return []
    return [
        _printed(block, example, names, page) for example in DocTestParser().get_examples(text, page.name)
    ]


def _printed(block: Block, example: Example, names: dict[str, Any], page: Page) -> Shown:
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            exec(compile(example.source, page.name, "single"), names)  # noqa: S102  # our own pages
        except Exception as error:  # noqa: BLE001  # a page may show one on purpose
            printed.write(
                f"Traceback (most recent call last):\n    ...\n{''.join(format_exception_only(error))}"
            )
    return Shown(
        command=example.source.rstrip("\n"),
        first=block.first + example.lineno + example.source.count("\n"),
        expected=tuple(example.want.splitlines()),
        got=tuple(line.rstrip() or BLANK for line in printed.getvalue().splitlines()),
    )
