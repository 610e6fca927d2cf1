"""Find the Python that answers run on, and what must be shown of this machine for it to work in a sandbox."""

import compileall
import importlib.metadata
import importlib.util
import platform
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from steelyard.checks.python import grader_runtime as box
from steelyard.errors import InfrastructureError
from steelyard.model.execution import Bind
from steelyard.model.python_folders import python_binds

STARTER = "/usr/bin/env"  # sets the two variables below whether a sandbox starts cold or waits warm
# Without a fixed seed the order of a set, and with it the outcome of a careless answer, is a matter of luck.
SEED = "PYTHONHASHSEED=0"
# No site-packages, nothing of the user's, nothing from the current folder, no bytecode written.
FLAGS = ("-S", "-s", "-P", "-B")
SCRIPT = b"from steelyard.checks.python.grader_runtime.grade import main\n\nmain()\n"
# Not among those that a warm sandbox lets be the first process of their world: it will be the answer's too.
SHARED_SCRIPT = b"from steelyard.checks.python.grader_runtime.grade import main_shared\n\nmain_shared()\n"
OLDEST_PYTEST = 9
PYTEST_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
# What most answers import, for a warm interpreter to have at hand.
COMMON = (
    *("abc", "bisect", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math"),
    *("operator", "random", "re", "statistics", "string", "textwrap", "typing", "unittest"),
)
GRADER = Path(box.__file__).resolve().parent


class WarmOptions(TypedDict):
    """The options of a warm sandbox for Python."""

    interpreter: str
    flags: tuple[str, ...]
    binds: tuple[Bind, ...]
    preload: tuple[str, ...]
    scripts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python outside every virtual environment, as it is called and shown in a sandbox."""

    program: str
    binds: tuple[Bind, ...]
    search: str  # the folder from which the grader is imported
    build: str  # the exact version, and what it was built for
    is_own: bool = True  # whether Steelyard runs on it: only then can it run code compiled here
    packages: tuple[str, ...] = ()  # folders from which answers import
    test_packages: tuple[str, ...] = ()  # and tests, where they are apart

    script: bytes = SCRIPT  # the few lines that start the grader

    @property
    def argv(self) -> tuple[str, ...]:
        """How every command of ours begins."""
        return (STARTER, SEED, f"PYTHONPATH={self.search}", self.program, *FLAGS)

    def warm_options(self) -> WarmOptions:
        """Return what a warm sandbox must know to have this Python and the grader at hand."""
        return WarmOptions(
            interpreter=self.argv[0],
            flags=self.argv[1:],
            binds=self.binds,
            preload=(*COMMON, f"{box.__name__}.grade"),
            scripts=(self.script,),
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
    binds = (*python_binds(program, prefix), Bind(source=str(GRADER)))
    return Interpreter(program=str(program), binds=binds, search=str(GRADER.parents[3]), build=build)


def require_pytest(version: str) -> None:
    """Refuse a pytest whose `approx` takes an object of the right length without items for a list."""
    if int(version.partition(".")[0]) < OLDEST_PYTEST:
        raise InfrastructureError(
            f"a case asks for pytest {OLDEST_PYTEST} or later, and {version} is installed: "
            f"`pip install --upgrade pytest`"
        )


@cache
def pytest_packages() -> tuple[tuple[Bind, ...], tuple[str, ...]]:
    """Return what to show of pytest, and where to import it from; raises where there is no pytest."""
    if importlib.util.find_spec("pytest") is None:
        raise InfrastructureError("a case asks for pytest, which is not installed: `pip install pytest`")
    require_pytest(importlib.metadata.version("pytest"))
    specs = [importlib.util.find_spec(name) for name in PYTEST_PACKAGES]
    origins = [spec.origin for spec in specs if spec and spec.origin]
    paths = [Path(origin).parent if Path(origin).stem == "__init__" else Path(origin) for origin in origins]
    folders = dict.fromkeys(str(path.parent) for path in paths)
    return tuple(Bind(source=str(path)) for path in paths), tuple(folders)
