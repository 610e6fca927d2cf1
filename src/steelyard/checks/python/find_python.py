"""Find a Python of another version on this machine, for answers that ask for one."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from steelyard.checks.python.interpreter import GRADER, Interpreter, interpreter_at, this_interpreter
from steelyard.errors import InputError
from steelyard.model.execution import NEUTRAL_FOLDER

ASK = (
    "import json, os, platform, sys, sysconfig; print(json.dumps([os.path.realpath(sys._base_executable), "
    "sys.base_prefix, platform.python_version(), sysconfig.get_config_var('SOABI')]))"
)
PATIENCE_S = 60.0


@cache
def find_python(version: str) -> Interpreter:
    """Return the Python of a version, such as `3.12`; raises where there is none."""
    for program in _candidates(version):
        found = _asked(program)
        if found is None:
            continue
        if is_version(found.build, version):
            _output([found.program, "-m", "compileall", "-q", str(GRADER)])
            return found
    raise InputError(
        f"the eval set asks for Python {version}, which is not on this machine; "
        f"install it, such as by `uv python install {version}`, so that python{version} can be called"
    )


def is_version(build: str, version: str) -> bool:
    """Whether an exact version is one of a version in short.

    >>> is_version("3.12.4 cpython", "3.12"), is_version("3.12.4 cpython", "3.1")
    (True, False)
    """
    exact = build.partition(" ")[0]
    return exact == version or exact.startswith(f"{version}.")


def _candidates(version: str) -> Iterator[str]:
    """Give the programs that may be it: our own, those of its name, and what pyenv and uv have."""
    yield this_interpreter().program
    short = ".".join(version.split(".")[:2])
    yield from filter(None, (shutil.which(f"python{name}") for name in (version, short)))
    pyenv = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))  # noqa: PTH111  # raises nothing
    yield from map(str, sorted(pyenv.glob(f"versions/{short}*/bin/python{short}")))
    uv = shutil.which("uv")
    known = _output([uv, "python", "find", "--no-project", "--no-python-downloads", version]) if uv else None
    if known and known.strip():
        yield known.strip()


def _asked(program: str) -> Interpreter | None:
    """Return what a Python says about itself."""
    said = _output([program, "-I", "-S", "-c", ASK])
    if said is None:
        return None
    base, prefix, version, built_for = json.loads(said)
    return interpreter_at(Path(base), Path(prefix), build=f"{version} {built_for}")


def _output(words: list[str]) -> str | None:
    """Return what a program prints, or None when it fails."""
    try:
        ended = subprocess.run(  # noqa: S603  # a Python of the user's, or uv
            words, capture_output=True, text=True, check=False, timeout=PATIENCE_S, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ended.stdout if ended.returncode == 0 else None
