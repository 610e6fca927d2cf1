"""Type a command in process, as a user would, and look at what it shows."""

import json
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from steelyard.cli.main import main

Json = dict[str, Any]


class Shown(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def typed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Shown:
    """Run a command and return its exit code and what it wrote."""
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return Shown(code, shown.out, shown.err)


def scored(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Json:
    """Score files through the command line and return the report."""
    shown = typed(capsys, "score", *words, "--format", "json")
    assert (shown.code, shown.err) == (0, "")
    return strict_json(shown.out)


def strict_json(text: str) -> Json:
    """Read JSON as the standard has it: NaN and Infinity are none."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    parsed: Json = json.loads(text, parse_constant=refuse)
    return parsed


def written(folder: Path, text: str | bytes, name: str = "outcomes.csv") -> Path:
    """Write a file as it stands and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
