"""Bring files back out of a workspace whose owner is dead and was not to be trusted.

Nothing is followed, nothing but a plain file is read, and the sizes are bounded.
"""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(Exception):
    """A file that is not brought back, and why."""


@dataclass(slots=True)
class Harvest:
    """The files brought back, and those that were there and refused."""

    files: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def harvest(workspace: int, paths: Iterable[str], *, room: int) -> Harvest:
    """Read files below an open folder; a path with nothing at it is in neither list."""
    found = Harvest()
    for path in paths:
        try:
            content = _read(workspace, path, room)
        except FileNotFoundError:
            continue
        except Refused as reason:
            found.refused[path] = str(reason)
        except OSError as error:
            detour = error.errno in {errno.ELOOP, errno.ENOTDIR}
            found.refused[path] = "a link, or no folder, on the way" if detour else str(error.strerror)
        else:
            found.files[path] = content
            room -= len(content)
    return found


def _read(workspace: int, path: str, room: int) -> bytes:
    *folders, name = path.split("/")
    with ExitStack() as stack:
        here = workspace
        for folder in folders:
            here = os.open(folder, FOLDER, dir_fd=here)
            stack.callback(os.close, here)
        # Looked at before it is opened: opening a device may do something.
        if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
            raise Refused("not a plain file")
        with os.fdopen(os.open(name, PLAIN, dir_fd=here), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > room:
                raise Refused(f"{size} bytes, and there is room for {room}")
            return file.read(room)
