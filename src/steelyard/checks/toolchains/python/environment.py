"""Find the Python of an environment, and install its packages once per machine."""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from steelyard.checks.toolchains.python.find_python import find_python
from steelyard.checks.toolchains.python.install import PACKAGES, install_once
from steelyard.checks.toolchains.python.interpreter import Interpreter, this_interpreter
from steelyard.errors import InputError
from steelyard.model.cache_folder import cache_folder
from steelyard.model.environment import Environment, pins, sorted_lines, unpinned
from steelyard.model.execution import Bind
from steelyard.model.sample import text_digest

FOLDER = "environments"
VERSION = "1"  # of the installed layout


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPackages:
    """The cached lists of packages on this machine: number and bytes."""

    folder: Path
    count: int
    size: int


@cache
def interpreter_of(environment: Environment | None) -> Interpreter:
    """Return the Python of an environment with its packages; raises if something is missing."""
    bare = bare_interpreter(environment)
    folder = installed(environment.requirements, bare) if environment else None
    if folder is None:
        return bare
    return replace(bare, packages=(str(folder),), binds=(*bare.binds, Bind(source=str(folder))))


def bare_interpreter(environment: Environment | None) -> Interpreter:
    """Return the Python of an environment without its packages."""
    return find_python(environment.python) if environment and environment.python else this_interpreter()


def installed(requirements: str, interpreter: Interpreter) -> Path | None:
    """Return the folder of the packages, installing them if needed; None if the list is empty."""
    if problems := unpinned(requirements):
        number, line = problems[0]
        raise InputError(
            f"line {number} of the requirements, {line!r}, does not pin a package to one version"
        )
    if not pins(requirements):
        return None
    folder = package_folder(requirements, interpreter)
    if not folder.is_dir():
        install_once(requirements, interpreter, folder)
    return (folder / PACKAGES).resolve()


def package_folder(requirements: str, interpreter: Interpreter) -> Path:
    """Return the folder for a list of packages on a Python, whether or not it exists."""
    key = [VERSION, interpreter.build, sorted_lines(requirements)]
    return cache_folder(FOLDER) / text_digest(json.dumps(key))


def cached_packages() -> CachedPackages:
    """Count the installed lists of packages."""
    folder = cache_folder(FOLDER)
    lists = [path for path in folder.glob("*") if not path.suffix and (path / PACKAGES).is_dir()]
    size = sum(file.lstat().st_size for path in lists for file in path.rglob("*") if not file.is_dir())
    return CachedPackages(folder=folder, count=len(lists), size=size)
