"""Find the Python that answers run on, and what must be shown of this machine for it to work in a sandbox."""

import compileall
import importlib.util
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from steelyard.checks.python import grader_runtime as box
from steelyard.errors import InfrastructureError
from steelyard.model.execution import Bind

STARTER = "/usr/bin/env"  # sets the two variables below whether a sandbox starts cold or waits warm
# Without a fixed seed the order of a set, and with it the outcome of a careless answer, is a matter of luck.
SEED = "PYTHONHASHSEED=0"
# No site-packages, nothing of the user's, nothing from the current folder, no bytecode written.
FLAGS = ("-S", "-s", "-P", "-B")
SCRIPT = b"from steelyard.checks.python.grader_runtime.grade import main\n\nmain()\n"
PYTEST_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
# What most answers import, for a warm interpreter to have at hand.
COMMON = (
    *(
        "typing",
        "collections",
        "collections.abc",
        "dataclasses",
        "functools",
        "itertools",
        "operator",
        "math",
    ),
    *("re", "string", "heapq", "bisect", "random", "copy", "datetime", "decimal", "fractions", "enum"),
    *("statistics", "json", "abc", "contextlib", "hashlib", "textwrap", "unittest"),
)


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
            preload=(*COMMON, f"{box.__name__}.rehearsal"),
            scripts=(self.script,),
        )


@cache
def this_interpreter() -> Interpreter:
    """Return the Python that Steelyard itself runs on, without its packages."""
    program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    here = Path(box.__file__).resolve().parent
    # A sandbox cannot keep what it compiles: a fresh interpreter would compile the grader every time.
    compileall.compile_dir(here, quiet=2)
    binds = [Bind(source=str(here))]
    if not program.is_relative_to("/usr"):
        binds.insert(0, Bind(source=str(Path(sys.base_prefix).resolve())))
    return Interpreter(program=str(program), binds=tuple(binds), search=str(here.parents[3]))


@cache
def pytest_packages() -> tuple[tuple[Bind, ...], tuple[str, ...]]:
    """Return what to show of pytest, and where to import it from; raises where there is no pytest."""
    if importlib.util.find_spec("pytest") is None:
        raise InfrastructureError("a case asks for pytest, which is not installed: `pip install pytest`")
    specs = [importlib.util.find_spec(name) for name in PYTEST_PACKAGES]
    origins = [spec.origin for spec in specs if spec and spec.origin]
    paths = [Path(origin).parent if Path(origin).stem == "__init__" else Path(origin) for origin in origins]
    folders = dict.fromkeys(str(path.parent) for path in paths)
    return tuple(Bind(source=str(path)) for path in paths), tuple(folders)
