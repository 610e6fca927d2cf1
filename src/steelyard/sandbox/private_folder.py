"""Create a folder that no other user can write.

State that a later process acts on, such as that of containers, must not lie in a shared temporary folder:
there, any user can create a folder of any name beforehand.
"""

import os
import stat
from pathlib import Path

from steelyard.errors import SandboxError

OWNER_ONLY = 0o700
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0


def private_folder(path: Path) -> Path:
    """Return a folder that only this user can access, created if missing; follows no links."""
    # From the top down: a check is valid only if the parent is safe.
    for above in reversed(path.parents):
        _require_safe_parent(above)
    try:
        path.mkdir(mode=OWNER_ONLY)
    except FileExistsError:
        pass
    except OSError as error:
        raise SandboxError(f"{path} cannot be created: {error.strerror}") from error
    _require_own(path)
    return path


def _require_safe_parent(path: Path) -> None:
    """Refuse a folder in which another user could rename or replace our entries."""
    status = _lstat(path)
    others_write = status.st_mode & WRITABLE_BY_OTHERS and not status.st_mode & stat.S_ISVTX
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (ROOT, os.geteuid()) or others_write:
        raise SandboxError(
            f"{path} is not safe: another user can change its contents; remove their write permission"
        )


def _require_own(path: Path) -> None:
    status = _lstat(path)
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    if not is_own or status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SandboxError(
            f"{path} must be a folder of this user with mode 700; check who created it, then remove it"
        )


def _lstat(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as error:
        raise SandboxError(f"{path} cannot be read: {error.strerror}") from error
