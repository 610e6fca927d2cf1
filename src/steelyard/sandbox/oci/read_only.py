"""Keep what is mounted below a shown folder read-only too: to `runc`, `ro` means the topmost mount alone."""

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
# How the kernel writes the names of places.
ESCAPED = str.maketrans({"\\": r"\134", " ": r"\040", "\t": r"\011", "\n": r"\012"})


@cache
def reaches_below(program: str) -> bool:
    """Whether a runtime and this kernel can make everything below a folder read-only.

    A runtime that lacks the option may ignore it, so its list of features is read.
    """
    features = subprocess.run([program, "features"], capture_output=True, check=False, cwd=NEUTRAL_FOLDER)  # noqa: S603
    try:
        known = json.loads(features.stdout)["mountOptions"]
    except (ValueError, KeyError, TypeError):  # older than the question
        return False
    return ALL_BELOW in known and _kernel_can()


def _kernel_can() -> bool:
    """Whether the kernel has the call, which came with Linux 5.12 and may be filtered."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(SET_MOUNTS, -1, None, 0, None, ctypes.c_size_t(0))
    return ctypes.get_errno() == errno.EINVAL  # it looked at the size first


def refuse_mounts_below(folders: Iterable[str]) -> None:
    """Refuse to show a folder with something mounted below it, which a command could write."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    mounted = [line.split(" ")[4] for line in lines]
    for folder in folders:
        above = os.path.realpath(folder).rstrip("/").translate(ESCAPED) + "/"
        for place in mounted:
            if place.startswith(above):
                raise SandboxError(
                    f"{place} is mounted below {folder}, and a command could write to it; "
                    "read-only it takes runc 1.1 and Linux 5.12, or the bubblewrap sandbox"
                )
