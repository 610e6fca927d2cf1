"""Say where the packages of environments are kept: each list of them once, for all eval sets that have it."""

import json
from dataclasses import dataclass
from pathlib import Path

from steelyard.checks.python.interpreter import Interpreter
from steelyard.model.cache_folder import cache_folder
from steelyard.model.environment import sorted_lines
from steelyard.model.sample import text_digest

FOLDER = "environments"
VERSION = "1"  # of how they are installed; raised when folders of earlier versions are of no use any more


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPackages:
    """How many lists of packages are kept on this machine, and how many bytes they take."""

    folder: Path
    count: int
    size: int


def place_of(requirements: str, interpreter: Interpreter) -> Path:
    """Return the folder for a list of packages on a Python, whether or not it is there."""
    form = [VERSION, interpreter.build, sorted_lines(requirements)]
    return cache_folder(FOLDER) / text_digest(json.dumps(form))


def packages_in(place: Path) -> Path:
    """Return the folder from which packages are imported."""
    return place / "packages"


def cached_packages() -> CachedPackages:
    """Count what is kept."""
    folder = cache_folder(FOLDER)
    inside = list(folder.iterdir()) if folder.is_dir() else []
    places = [one for one in inside if not one.suffix and packages_in(one).is_dir()]
    size = sum(file.lstat().st_size for place in places for file in place.rglob("*") if not file.is_dir())
    return CachedPackages(folder=folder, count=len(places), size=size)
