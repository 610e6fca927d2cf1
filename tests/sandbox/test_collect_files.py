"""Looking through the workspace of a command that is not to be trusted takes a bounded time."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.sandbox import collect_files
from steelyard.sandbox.collect_files import FOLDER, matching
from steelyard.sandbox.layout import WORKSPACE

FOLDERS, DEPTH = 500, 38


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """Return a workspace with many folders, all of them deep down."""
    bottom = tmp_path.joinpath(*["d"] * DEPTH)
    bottom.mkdir(parents=True)
    for number in range(FOLDERS):
        (bottom / f"f{number}").mkdir()
    (bottom / "f7" / "found.py").touch()
    (tmp_path / "found.py").touch()
    return tmp_path


def open_workspace(path: Path) -> dict[str, int]:
    return {WORKSPACE: os.open(path, FOLDER)}


def test_a_folder_is_opened_once_however_deep_it_lies(deep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = 0
    really: Callable[..., int] = os.open

    def counted(*words: object, **named: object) -> int:
        nonlocal opened
        opened += 1
        return really(*words, **named)

    workspace = open_workspace(deep)
    before = len(list(Path("/proc/self/fd").iterdir()))
    monkeypatch.setattr(os, "open", counted)

    assert matching(workspace, ["*.py"]) == ["/".join(["d"] * DEPTH + ["f7", "found.py"]), "found.py"]
    assert opened == 1 + DEPTH + FOLDERS
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_not_more_is_looked_at_than_anybody_would(deep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect_files, "MOST_ENTRIES", 0)

    assert matching(open_workspace(deep), ["*.py"]) == []


def test_a_link_to_a_folder_is_not_followed(deep: Path) -> None:
    (deep / "link").symlink_to("/usr/lib/python3")

    assert len(matching(open_workspace(deep), ["*.py"])) == 2
