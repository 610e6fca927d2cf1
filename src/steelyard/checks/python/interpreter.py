"""Find the Python that answers run on, and what must be shown of this machine for it to work in a sandbox."""

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

from steelyard.checks.python import runtime
from steelyard.model.execution import Bind
from steelyard.model.python_folders import python_binds

STARTER = "/usr/bin/env"  # sets the two variables below whether a sandbox starts cold or waits warm
# Without a fixed seed the order of a set, and with it the outcome of a careless answer, is a matter of luck.
SEED = "PYTHONHASHSEED=0"
# No site-packages, nothing of the user's, nothing from the current folder, no bytecode written.
FLAGS = ("-S", "-s", "-P", "-B")
SCRIPT = b"from steelyard.checks.python.runtime.run import main\n\nmain()\n"
PYTEST_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
PRELOADED = ("run", "script_run", "pytest_run")
# Modules that most answers import, loaded before the fork.
COMMON = (
    *("abc", "bisect", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math"),
    *("operator", "random", "re", "statistics", "string", "textwrap", "typing", "unittest"),
)
GRADER = Path(runtime.__file__).resolve().parent


class WarmOptions(TypedDict):
    """The options of a warm sandbox for Python."""

    interpreter: str
    flags: tuple[str, ...]
    binds: tuple[Bind, ...]
    preload: tuple[str, ...]
    scripts: NotRequired[tuple[bytes, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python outside every virtual environment, as it is called and shown in a sandbox."""

    program: str
    binds: tuple[Bind, ...]
    search: tuple[str, ...]  # folders from which the runtime and pytest are imported
    build: str  # the exact version, and what it was built for
    packages: tuple[str, ...] = ()  # folders from which answers and tests import

    @property
    def argv(self) -> tuple[str, ...]:
        """How every command of ours begins."""
        path = os.pathsep.join([*self.packages, *self.search])
        return (STARTER, SEED, f"PYTHONPATH={path}", self.program, *FLAGS)

    def warm_options(self) -> WarmOptions:
        """Return the options of a warm sandbox that has this Python, the runtime and pytest loaded."""
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
    # A sandbox cannot keep what it compiles: a fresh interpreter would compile the grader every time.
    compileall.compile_dir(GRADER, quiet=2)
    build = f"{platform.python_version()} {sysconfig.get_config_var('SOABI')}"
    return interpreter_at(program, Path(sys.base_prefix), build=build)


def interpreter_at(program: Path, prefix: Path, *, build: str) -> Interpreter:
    """Return a Python by its program and the folder that holds its library."""
    binds, folders = _pytest_packages()
    shown = (*python_binds(program, prefix), Bind(source=str(GRADER)), *binds)
    search = dict.fromkeys((str(GRADER.parents[3]), *folders))
    return Interpreter(program=str(program), binds=shown, search=tuple(search), build=build)


@cache
def _pytest_packages() -> tuple[tuple[Bind, ...], tuple[str, ...]]:
    """Return what to show of pytest, and the folders to import it from."""
    specs = [importlib.util.find_spec(name) for name in PYTEST_PACKAGES]
    origins = [Path(spec.origin) for spec in specs if spec and spec.origin]
    paths = [origin.parent if origin.stem == "__init__" else origin for origin in origins]
    folders = dict.fromkeys(str(path.parent) for path in paths)
    return tuple(Bind(source=str(path)) for path in paths), tuple(folders)
