"""Describe the Python that answers run on: its program, and the folders that a sandbox must mount."""

import compileall
import importlib.util
import os
import platform
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

from steelyard.checks.toolchains.python import runtime
from steelyard.model.execution import Bind
from steelyard.model.python_folders import python_binds

STARTER = "/usr/bin/env"  # sets the two variables below whether a sandbox starts cold or waits warm
# A fixed seed makes the order of sets, and outcomes that depend on it, reproducible.
SEED = "PYTHONHASHSEED=0"
# No site-packages, no user site, no current folder in the path, no bytecode.
FLAGS = ("-S", "-s", "-P", "-B")
SCRIPT = b"from steelyard.checks.toolchains.python.runtime.run import main\n\nmain()\n"
PYTEST_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
PRELOADED = ("run", "script_run", "pytest_run")
# Modules that most answers import, loaded before the fork.
COMMON = (
    *("abc", "bisect", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math"),
    *("operator", "random", "re", "statistics", "string", "textwrap", "typing", "unittest"),
)
RUNTIME = Path(runtime.__file__).resolve().parent


class WarmOptions(TypedDict):
    """The options of a warm sandbox for Python."""

    interpreter: str
    flags: tuple[str, ...]
    binds: tuple[Bind, ...]
    preload: tuple[str, ...]
    scripts: NotRequired[tuple[bytes, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python outside virtual environments, as it is run and mounted in a sandbox."""

    program: str
    binds: tuple[Bind, ...]
    search: tuple[str, ...]  # folders from which the runtime and pytest are imported
    build: str  # exact version and ABI
    packages: tuple[str, ...] = ()  # folders from which answers and tests import

    @property
    def argv(self) -> tuple[str, ...]:
        """The start of every command."""
        path = os.pathsep.join([*self.packages, *self.search])
        return (STARTER, SEED, f"PYTHONPATH={path}", self.program, *FLAGS)

    def warm_options(self) -> WarmOptions:
        """Return the options of a warm sandbox that has the runtime and pytest loaded."""
        return WarmOptions(
            interpreter=self.argv[0],
            flags=self.argv[1:],
            binds=self.binds,
            preload=(*COMMON, *(f"{runtime.__name__}.{name}" for name in PRELOADED)),
        )


@cache
def this_interpreter() -> Interpreter:
    """Return the Python that Steelyard itself runs on, without its packages."""
    program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    # A sandbox keeps no bytecode: without this, each fresh interpreter would compile the runtime.
    compileall.compile_dir(RUNTIME, quiet=2)
    build = f"{platform.python_version()} {sysconfig.get_config_var('SOABI')}"
    return interpreter_at(program, Path(sys.base_prefix), build=build)


def interpreter_at(program: Path, prefix: Path, *, build: str) -> Interpreter:
    """Describe a Python by its program and the prefix of its library."""
    binds, folders = _pytest_packages()
    binds = (*python_binds(program, prefix), Bind(source=str(RUNTIME)), *binds)
    search = dict.fromkeys((str(RUNTIME.parents[4]), *folders))
    return Interpreter(program=str(program), binds=binds, search=tuple(search), build=build)


@cache
def _pytest_packages() -> tuple[tuple[Bind, ...], tuple[str, ...]]:
    """Return the mounts of pytest, and the folders to import it from."""
    specs = [importlib.util.find_spec(name) for name in PYTEST_PACKAGES]
    origins = [Path(spec.origin) for spec in specs if spec and spec.origin]
    paths = [origin.parent if origin.stem == "__init__" else origin for origin in origins]
    folders = dict.fromkeys(str(path.parent) for path in paths)
    return tuple(Bind(source=str(path)) for path in paths), tuple(folders)
