"""Manage the folder for rows that exceed memory; remove those of killed processes."""

import atexit
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

PREFIX = "steelyard-spill-"
PID_NAMESPACE = Path("/proc/self/ns/pid")  # not on macOS


@cache
def spill_folder(process: int) -> str:
    """Create a private temporary folder, removed when the process exits."""
    prefix = _namespace_prefix()
    folder = mkdtemp(prefix=f"{prefix}{process}-")
    _remove_abandoned(Path(folder).parent, prefix)
    atexit.register(_remove_own, folder, process)
    return folder


def _namespace_prefix() -> str:
    """Return the folders' prefix, with the pid namespace: containers may share the temporary folder."""
    namespace = PID_NAMESPACE.stat().st_ino if PID_NAMESPACE.exists() else 0
    return f"{PREFIX}{namespace}-"


def _remove_abandoned(folder: Path, prefix: str) -> None:
    """Remove this user's folders of processes that no longer exist."""
    for path in folder.glob(f"{prefix}*"):
        pid = path.name.removeprefix(prefix).partition("-")[0]
        with suppress(OSError):  # such as one that another process removes right now
            if pid.isdigit() and not _exists(int(pid)) and path.lstat().st_uid == os.geteuid():
                shutil.rmtree(path, ignore_errors=True)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _remove_own(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(folder, ignore_errors=True)
