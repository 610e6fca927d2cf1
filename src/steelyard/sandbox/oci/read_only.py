"""Make submounts of a bind read-only too: in `runc`, `ro` affects only the topmost mount."""

import ctypes
import errno
import json
import os
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import NEUTRAL_FOLDER

SET_MOUNTS = 442  # mount_setattr, on every processor
ALL_BELOW = "rro"
# Escapes in /proc/self/mountinfo.
ESCAPED = str.maketrans({"\\": r"\134", " ": r"\040", "\t": r"\011", "\n": r"\012"})


@cache
def reaches_below(program: str) -> bool:
    """Whether a runtime and this kernel can make submounts read-only.

    A runtime without the option may ignore it, so its list of features decides.
    """
    features = subprocess.run([program, "features"], capture_output=True, check=False, cwd=NEUTRAL_FOLDER)  # noqa: S603
    try:
        known = json.loads(features.stdout)["mountOptions"]
    except (ValueError, KeyError, TypeError):  # too old to list features
        return False
    return ALL_BELOW in known and _kernel_can()


def _kernel_can() -> bool:
    """Whether the kernel has mount_setattr (Linux 5.12) and no filter refuses it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(SET_MOUNTS, -1, None, 0, None, ctypes.c_size_t(0))
    return ctypes.get_errno() == errno.EINVAL  # the kernel checked the size argument


def refuse_mounts_below(folders: Iterable[str]) -> None:
    """Refuse folders with submounts, which a command could write to."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    mount_points = [line.split(" ")[4] for line in lines]
    for folder in folders:
        above = os.path.realpath(folder).rstrip("/").translate(ESCAPED) + "/"
        for mount_point in mount_points:
            if mount_point.startswith(above):
                raise SandboxError(
                    f"{mount_point}: a mount below {folder} would be writable for commands; "
                    "use runc 1.1 and Linux 5.12 or newer, or the bubblewrap sandbox"
                )
