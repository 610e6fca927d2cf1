"""Install packages for answers: wheels only, so that nothing of a package runs, and each list of them once.

They are written beside their place and moved there when complete; so a folder in its place is always whole.
"""

import fcntl
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from steelyard.checks.python.interpreter import Interpreter
from steelyard.checks.python.package_cache import packages_in, place_of
from steelyard.errors import InfrastructureError, InputError, UserError
from steelyard.model.environment import package_name, pins, unpinned
from steelyard.model.execution import NEUTRAL_FOLDER

LIST = "requirements.txt"
WHEELS_ONLY = ("--only-binary", ":all:")
TAIL = 2000  # characters of what an installer says
ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)  # may hold a password


def installed(requirements: str, interpreter: Interpreter) -> Path | None:
    """Return the folder of the packages, or None where there are none; installs them if need be."""
    if problems := unpinned(requirements):
        number, line = problems[0]
        raise InputError(f"line {number} of the requirements, {line!r}, pins no package to one version")
    if not pins(requirements):
        return None
    place = place_of(requirements, interpreter)
    if not place.is_dir():
        _install_once(requirements, interpreter, place)
    return packages_in(place).resolve()


def installer() -> tuple[str, ...] | None:
    """Return how to call uv, or else pip; None where there is neither."""
    if uv := shutil.which("uv"):
        return (uv, "pip")
    if find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    found = shutil.which("pip3") or shutil.which("pip")
    return (found,) if found else None


def _install_once(requirements: str, interpreter: Interpreter, place: Path) -> None:
    """Install packages unless another process has done it meanwhile."""
    place.parent.mkdir(parents=True, exist_ok=True)
    begun = place.with_suffix(".part").absolute()
    with _locked(place.with_suffix(".lock")) as lock:
        if place.is_dir():
            return
        shutil.rmtree(begun, ignore_errors=True)  # of one that was killed
        begun.mkdir()
        (begun / LIST).write_text(requirements, encoding="utf-8")
        try:
            _install(begun, interpreter, lock)
            _require_whole(requirements, packages_in(begun))
            _set_modes(begun)
            begun.rename(place)
        finally:
            shutil.rmtree(begun, ignore_errors=True)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Wait until no other process holds a lock; it ends with the process, however that ends."""
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _install(begun: Path, interpreter: Interpreter, lock: int) -> None:
    call = installer()
    if call is None:
        raise InfrastructureError(
            "the eval set needs packages, and neither uv nor pip is here to install them: `pip install uv`"
        )
    target = ("--target", str(packages_in(begun)), *WHEELS_ONLY, "-r", str(begun / LIST))
    if call[-1:] == ("pip",) and Path(call[0]).stem == "uv":
        # Copied: links would share their files with the cache of uv.
        words = ["install", "--python", interpreter.program, "--link-mode", "copy", "--compile-bytecode"]
    else:
        words = ["--python", interpreter.program, "--no-input", "install"]
    # An installer that outlives us holds the lock on, so no other begins while it still writes.
    ended = subprocess.run(  # noqa: S603  # uv or pip, as the user has set them up
        [*call, *words, *target],
        capture_output=True,
        text=True,
        check=False,
        pass_fds=(lock,),
        cwd=NEUTRAL_FOLDER,
    )
    if ended.returncode != 0:
        said = ADDRESS.sub("(address)", (ended.stderr or ended.stdout).strip())[-TAIL:]
        raise UserError(f"the packages of the eval set cannot be installed:\n{said}")
    packages_in(begun).mkdir(exist_ok=True)  # where every line is for another machine


def _require_whole(requirements: str, folder: Path) -> None:
    """Require that nothing came along that is not listed: next year it might come in another version."""
    named = pins(requirements)
    found = (one.name.removesuffix(".dist-info").rpartition("-") for one in folder.glob("*.dist-info"))
    extra = sorted(
        f"{package_name(name)}=={version}" for name, _, version in found if package_name(name) not in named
    )
    if extra:
        raise UserError(
            f"the requirements of the eval set leave out what their packages need; add {', '.join(extra)}, "
            f"or let `uv pip compile` write the whole list"
        )


def _set_modes(begun: Path) -> None:
    """Let all users read the files and none write them: a sandbox of root reads them as another user."""
    for path in (begun, *begun.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        elif not path.is_symlink():
            path.chmod(0o555 if path.stat().st_mode & stat.S_IXUSR else 0o444)
