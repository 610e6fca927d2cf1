"""Find the Python of an environment with its packages; missing packages are installed.

Each list of packages is kept once on a machine, for all eval sets that have it.
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from steelyard.checks.python.find_python import find_python
from steelyard.checks.python.install import PACKAGES, install_once
from steelyard.checks.python.interpreter import Interpreter, this_interpreter
from steelyard.errors import InputError
from steelyard.model.cache_folder import cache_folder
from steelyard.model.environment import Environment, pins, sorted_lines, unpinned
from steelyard.model.execution import Bind
from steelyard.model.sample import text_digest

FOLDER = "environments"
VERSION = "1"  # of the form in which packages are installed


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPackages:
    """How many lists of packages are kept on this machine, and how many bytes they take."""

    folder: Path
    count: int
    size: int


@cache
def interpreter_of(environment: Environment | None) -> Interpreter:
    """Return the Python on which answers in an environment run; raises where something is missing."""
    bare = bare_interpreter(environment)
    folder = installed(environment.requirements, bare) if environment else None
    if folder is None:
        return bare
    return replace(bare, packages=(str(folder),), binds=(*bare.binds, Bind(source=str(folder))))


def bare_interpreter(environment: Environment | None) -> Interpreter:
    """Return the Python of an environment without its packages."""
    return find_python(environment.python) if environment and environment.python else this_interpreter()


def installed(requirements: str, interpreter: Interpreter) -> Path | None:
    """Return the folder of the packages, None if the list is empty; installs missing ones."""
    if problems := unpinned(requirements):
        number, line = problems[0]
        raise InputError(f"line {number} of the requirements, {line!r}, pins no package to one version")
    if not pins(requirements):
        return None
    folder = package_folder(requirements, interpreter)
    if not folder.is_dir():
        install_once(requirements, interpreter, folder)
    return (folder / PACKAGES).resolve()


def package_folder(requirements: str, interpreter: Interpreter) -> Path:
    """Return the folder for a list of packages on a Python, whether or not it exists."""
    form = [VERSION, interpreter.build, sorted_lines(requirements)]
    return cache_folder(FOLDER) / text_digest(json.dumps(form))


def cached_packages() -> CachedPackages:
    """Count the installed lists of packages."""
    folder = cache_folder(FOLDER)
    kept = [path for path in folder.glob("*") if not path.suffix and (path / PACKAGES).is_dir()]
    size = sum(file.lstat().st_size for path in kept for file in path.rglob("*") if not file.is_dir())
    return CachedPackages(folder=folder, count=len(kept), size=size)
