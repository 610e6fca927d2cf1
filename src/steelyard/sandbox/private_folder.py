"""Make a folder that no other user of this machine can write, or refuse.

What a later process acts on, such as the state of containers, must not lie where others can put files: in a
shared temporary folder every user can make a folder of any name beforehand.
"""

import os
import stat
from pathlib import Path

from steelyard.errors import SandboxError

OWNER_ONLY = 0o700
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0


def private_folder(path: Path) -> Path:
    """Return a folder that belongs to this user alone, made if it is missing; no link is followed."""
    # From the top down, so that a folder is looked at only when what holds it can be relied on.
    for above in reversed(path.parents):
        _require_safe_parent(above)
    try:
        path.mkdir(mode=OWNER_ONLY)
    except FileExistsError:
        pass
    except OSError as error:
        raise SandboxError(f"{path} cannot be made: {error.strerror}") from error
    _require_own(path)
    return path


def _require_safe_parent(path: Path) -> None:
    """Refuse a folder in which another user could rename or replace what is ours."""
    found = _look(path)
    others_write = found.st_mode & WRITABLE_BY_OTHERS and not found.st_mode & stat.S_ISVTX
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (ROOT, os.geteuid()) or others_write:
        raise SandboxError(f"{path} is not safe: another user of this machine can change what lies in it")


def _require_own(path: Path) -> None:
    found = _look(path)
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    if not is_own or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SandboxError(
            f"{path} must be a folder of this user with mode 700, and it is not; look who made it, remove it"
        )


def _look(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as error:
        raise SandboxError(f"{path} cannot be looked at: {error.strerror}") from error
