"""Stamp figures with the commit and version they were measured at.

Nothing is measured here; `make stale` lists the figures to measure again.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.model.version import VERSION

REPOSITORY = Path(__file__).parents[1]
DATA = REPOSITORY / "docs" / "explanation" / "data"

Stamp = dict[str, str]


def stamp(repository: Path = REPOSITORY) -> Stamp:
    """Return the commit and the version that is measured now; `-dirty` if code differs from the commit.

    Documents may differ: one script after the other keeps its figures there.
    """
    commit = _git(repository, "rev-parse", "--short", "HEAD")
    changed = _git(repository, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs")
    return {"commit": f"{commit}-dirty" if changed else commit, "version": VERSION}


def _git(repository: Path, *words: str) -> str:
    found = subprocess.run(["git", *words], cwd=repository, capture_output=True, text=True, check=True)
    return found.stdout.strip()


def stamps(data: object) -> Iterator[Stamp]:
    """Give every stamp in some data, however deep."""
    if isinstance(data, dict):
        if "commit" in data:
            yield {"commit": data["commit"], "version": data["version"]}
        for value in data.values():
            yield from stamps(value)
    elif isinstance(data, list):
        for value in data:
            yield from stamps(value)


def caption(*names: str) -> str:
    """Return the line below a table that is made from these files of data."""
    contents: list[Any] = [json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")) for name in names]
    found = dict.fromkeys(
        f"`{each['commit']}` ({each['version']})" for content in contents for each in stamps(content)
    )
    makers = " and ".join(f"`{content['made_by']}`" for content in contents)
    return f"Measured by {makers} at commit {', '.join(found)}."
