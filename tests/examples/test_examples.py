"""The example files are what their script writes, byte for byte."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests.repo.package import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
SCRIPT = "make_examples.py"


def is_made(path: Path) -> bool:
    """Whether a file is written by the script."""
    return (
        path.suffix not in {".py", ".pyc", ".sh", ".toml", ".md", ".yml", ".yaml"}
        and path.parent.name != "benchmarks"
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return the data files of a folder; TOML, YAML, Markdown, scripts and benchmarks are written by hand."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and is_made(path)
    }


def test_the_script_writes_the_committed_files(tmp_path: Path) -> None:
    room = tmp_path / "examples"
    copytree(EXAMPLES, room, ignore=ignore_patterns("__pycache__"))
    for path in room.rglob("*"):
        if path.is_file() and is_made(path):
            path.unlink()

    subprocess.run([sys.executable, str(room / SCRIPT)], check=True)

    assert contents(room) == contents(EXAMPLES)
