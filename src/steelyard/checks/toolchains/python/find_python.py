"""Find a Python by its version on this machine."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from steelyard.checks.toolchains.python.interpreter import (
    RUNTIME,
    Interpreter,
    interpreter_at,
    this_interpreter,
)
from steelyard.errors import InputError
from steelyard.model.execution import NEUTRAL_FOLDER

DESCRIBE = (
    "import json, os, platform, sys, sysconfig; print(json.dumps([os.path.realpath(sys._base_executable), "
    "sys.base_prefix, platform.python_version(), sysconfig.get_config_var('SOABI')]))"
)
TIMEOUT_S = 60.0


@cache
def find_python(version: str) -> Interpreter:
    """Return the Python of a version, such as `3.12`; raises InputError if there is none."""
    for program in _candidates(version):
        if description := _output([program, "-I", "-S", "-c", DESCRIBE]):
            base, prefix, exact, target = json.loads(description)
            if exact == version or exact.startswith(f"{version}."):
                _output([base, "-m", "compileall", "-q", str(RUNTIME)])
                return interpreter_at(Path(base), Path(prefix), build=f"{exact} {target}")
    raise InputError(
        f"the eval set needs Python {version}, which is not on this machine; "
        f"install it, for example by `uv python install {version}`, and put python{version} on PATH"
    )


def _candidates(version: str) -> Iterator[str]:
    """Yield candidates: this Python, those on PATH, and those of pyenv and uv."""
    yield this_interpreter().program
    short = ".".join(version.split(".")[:2])
    yield from filter(None, (shutil.which(f"python{name}") for name in (version, short)))
    pyenv = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))  # noqa: PTH111  # Path raises without a home
    yield from map(str, sorted(pyenv.glob(f"versions/{short}*/bin/python{short}")))
    if uv := shutil.which("uv"):
        yield from _output([uv, "python", "find", "--no-project", "--no-python-downloads", version]).split(
            "\n"
        )[:1]


def _output(command: list[str]) -> str:
    """Return a program's output, "" if it fails."""
    try:
        process = subprocess.run(  # noqa: S603  # a Python of the user's, or uv
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout if process.returncode == 0 else ""
