"""The eval sets and rubrics that come with Steelyard, and the files that a new project begins with."""

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.nearest_name import did_you_mean

_HERE = Path(str(files(__name__)))
_NOT_SHOWN = "dot-"  # a file whose name begins with a dot would be left out of many an archive


def shipped_sets() -> dict[str, Path]:
    """Return the shipped sets by name; one that has long texts is a folder."""
    result = [*_HERE.glob("*.toml"), *(path.parent for path in _HERE.glob("*/set.toml"))]
    return {path.stem: path for path in sorted(result)}


def shipped_rubrics() -> dict[str, Path]:
    """Return the shipped rubrics by name."""
    return {path.stem: path for path in sorted((_HERE / "rubrics").glob("*.toml"))}


def find(location: str | Path, shipped: Mapping[str, Path], *, what: str) -> Path:
    """Return the file or folder at a location, or the shipped one of that name; else say what there is.

    A folder without a TOML file, such as one for reports, does not hide the shipped one of its name.
    """
    path, ours = Path(location), shipped.get(str(location))
    if os.path.exists(path) and (ours is None or not _is_bare(path)):  # noqa: PTH110  # `Path.exists` raises where a folder cannot be searched
        return path
    if ours is not None:
        return ours
    hint = did_you_mean(path.stem, shipped)
    raise InputError(f"{location}: there is no such file or folder, and no shipped {what}; {hint}")


def _is_bare(path: Path) -> bool:
    """Whether a path is a folder without any TOML file that would be read."""
    return path.is_dir() and not any(file.is_file() for file in path.glob("[!.]*.toml"))


def files_of_set(name: str) -> dict[str, str]:
    """Return the files of a shipped set, by path, each with its text."""
    path = shipped_sets()[name]
    if path.is_file():
        return {path.name: path.read_text(encoding="utf-8")}
    return {f"{name}/{inside}": text for inside, text in _texts(path).items()}


def starting_files() -> dict[str, str]:
    """Return the files of a new project, by path, each with its text."""
    return _texts(_HERE / "start")


def _texts(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {_named(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def _named(path: Path) -> str:
    parts = [
        f".{part.removeprefix(_NOT_SHOWN)}" if part.startswith(_NOT_SHOWN) else part for part in path.parts
    ]
    return "/".join(parts)
