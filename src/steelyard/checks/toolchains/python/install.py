"""Install pinned packages for answers: wheels only, so no package code runs during installation.

They are written beside their folder and renamed when complete: an existing folder is always complete.
"""

import fcntl
import re
import shutil
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from steelyard.checks.toolchains.python.interpreter import Interpreter
from steelyard.errors import InfrastructureError, UserError
from steelyard.model.environment import package_name, pins
from steelyard.model.execution import NEUTRAL_FOLDER

PACKAGES = "packages"  # the folder from which packages are imported
LIST = "requirements.txt"
WHEELS_ONLY = ("--only-binary", ":all:")
MAX_MESSAGE = 2000  # characters of an installer's output
ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)  # may contain a password


def installer() -> tuple[str, ...] | None:
    """Return the command of uv or pip; None if both are missing."""
    if uv := shutil.which("uv"):
        return (uv, "pip")
    if find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    pip = shutil.which("pip3") or shutil.which("pip")
    return (pip,) if pip else None


def install_once(requirements: str, interpreter: Interpreter, folder: Path) -> None:
    """Install packages unless another process has just done so."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = folder.with_suffix(".part").absolute()
    # The kernel releases the lock however this process ends.
    with folder.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            return
        shutil.rmtree(partial, ignore_errors=True)  # left by a killed process
        partial.mkdir()
        (partial / LIST).write_text(requirements, encoding="utf-8")
        try:
            _install(partial, interpreter, lock.fileno())
            _require_complete(requirements, partial / PACKAGES)
            _set_modes(partial)
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _install(partial: Path, interpreter: Interpreter, lock: int) -> None:
    command = installer()
    if command is None:
        raise InfrastructureError(
            "the eval set needs packages, and neither uv nor pip is installed: `pip install uv`"
        )
    options = ["--python", interpreter.program, "--no-input", "install"]
    if Path(command[0]).stem == "uv":
        # Links would share files with uv's cache.
        options = ["install", "--python", interpreter.program, "--link-mode", "copy", "--compile-bytecode"]
    # An installer that outlives this process keeps the lock.
    process = subprocess.run(  # noqa: S603  # the user's uv or pip
        [*command, *options, "--target", partial / PACKAGES, *WHEELS_ONLY, "-r", partial / LIST],
        capture_output=True,
        text=True,
        check=False,
        pass_fds=(lock,),
        cwd=NEUTRAL_FOLDER,
    )
    if process.returncode != 0:
        output = ADDRESS.sub("(address)", (process.stderr or process.stdout).strip())[-MAX_MESSAGE:]
        raise UserError(f"the packages of the eval set cannot be installed:\n{output}")
    (partial / PACKAGES).mkdir(exist_ok=True)  # if every line is for another platform


def _require_complete(requirements: str, folder: Path) -> None:
    """Reject unlisted dependencies: their versions would change over time."""
    names = [path.name.removesuffix(".dist-info").rpartition("-") for path in folder.glob("*.dist-info")]
    listed = pins(requirements)
    extra = [(package_name(name), version) for name, _, version in names if package_name(name) not in listed]
    if extra:
        raise UserError(
            f"the requirements of the eval set miss dependencies; "
            f"add {', '.join(f'{name}=={version}' for name, version in sorted(extra))}, "
            f"or write the whole list with `uv pip compile`"
        )


def _set_modes(partial: Path) -> None:
    """Make files read-only and world-readable: a sandbox started by root reads them as another user."""
    for path in (partial, *partial.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        elif not path.is_symlink():
            path.chmod(0o555 if path.stat().st_mode & stat.S_IXUSR else 0o444)
