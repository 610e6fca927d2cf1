"""Bring files back out of a workspace whose owner is dead and was not to be trusted.

Nothing is followed, nothing but a plain file is read, and the sizes are bounded.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from types import MappingProxyType

from steelyard.model.execution import Command
from steelyard.sandbox.layout import WORKSPACE

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LEAVE_OUT = "!"  # begins a pattern of what is not wanted
MOST_FILES, MOST_ENTRIES, DEEPEST = 2_000, 200_000, 40
NONE: Mapping[str, bytes] = MappingProxyType({})
# The workspace, open, and those folders in it that are file systems of their own, by their paths inside.
Folders = Mapping[str, int]
PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class RefusedPath(Exception):
    """A file that is not brought back, and why."""


@dataclass(slots=True)
class CollectedFiles:
    """The files brought back, and those that were there and refused."""

    files: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def collected_files(workspace: Folders, command: Command) -> CollectedFiles:
    """Read the files that a command is to return: those named, then those that match, new or changed."""
    room = command.limits.keep_bytes
    found = collect_files(workspace, command.keep, room=room)
    if not command.keep_matching:
        return found
    room -= sum(map(len, found.files.values()))
    # A read-only file has not changed; where it was mounted, an empty one may be left.
    passed_over = found.files.keys() | command.read_only
    paths = [path for path in matching(workspace, command.keep_matching) if path not in passed_over]
    more = collect_files(workspace, paths, room=room, known=command.files)
    return CollectedFiles({**found.files, **more.files}, {**found.refused, **more.refused})


def matching(workspace: Folders, patterns: Sequence[str]) -> list[str]:
    """Return the plain files below an open workspace whose paths match, sorted; links are not followed."""
    wanted = [pattern for pattern in patterns if not pattern.startswith(LEAVE_OUT)]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith(LEAVE_OUT)]
    paths = (path for path in _below(workspace) if _matches(path, wanted) and not _matches(path, unwanted))
    return sorted(islice(paths, MOST_FILES))


def _matches(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _below(workspace: Folders) -> Iterator[str]:
    """Return the plain files below a folder, not more than anybody would look through."""
    with suppress(OSError):
        here = os.open(".", FOLDER, dir_fd=workspace[WORKSPACE])
        yield from _within(here, "", workspace, iter(range(MOST_ENTRIES)))


def _within(here: int, folder: str, workspace: Folders, left: Iterator[int]) -> Iterator[str]:
    """Give the plain files below an open folder, and close it; what cannot be read is empty.

    Each folder is opened once, from the one around it: a command can make very many, deep down.
    """
    with ExitStack() as stack:
        stack.callback(os.close, here)
        for entry in stack.enter_context(os.scandir(here)):
            if next(left, None) is None:
                return
            path = f"{folder}{entry.name}"
            if entry.is_file(follow_symlinks=False):
                yield path
            elif entry.is_dir(follow_symlinks=False) and folder.count("/") < DEEPEST:
                with suppress(OSError):
                    inner = _open_to_list(workspace.get(f"{WORKSPACE}/{path}"), entry.name, here)
                    yield from _within(inner, f"{path}/", workspace, left)


def _open_to_list(mounted: int | None, name: str, parent: int) -> int:
    """Open a folder by its name, or again where we have it open only to lead on."""
    return os.open(name, FOLDER, dir_fd=parent) if mounted is None else os.open(".", FOLDER, dir_fd=mounted)


def _opened(workspace: Folders, folders: Iterable[str], stack: ExitStack) -> int:
    """Walk down into a folder, one step at a time, so that no link on the way leads elsewhere."""
    here, path = workspace[WORKSPACE], WORKSPACE
    for folder in folders:
        path = f"{path}/{folder}"
        if path in workspace:
            here = workspace[path]
        else:
            here = os.open(folder, FOLDER, dir_fd=here)
            stack.callback(os.close, here)
    return here


def collect_files(
    workspace: Folders, paths: Iterable[str], *, room: int, known: Mapping[str, bytes] = NONE
) -> CollectedFiles:
    """Read files below an open workspace; a path with nothing, or nothing new, at it is in neither list."""
    found = CollectedFiles()
    for path in paths:
        try:
            content = _read(workspace, path, room)
        except FileNotFoundError:
            continue
        except RefusedPath as reason:
            found.refused[path] = str(reason)
        except OSError as error:
            detour = error.errno in {errno.ELOOP, errno.ENOTDIR}
            found.refused[path] = "a link, or no folder, on the way" if detour else str(error.strerror)
        else:
            if content != known.get(path):
                found.files[path] = content
                room -= len(content)
    return found


def _read(workspace: Folders, path: str, room: int) -> bytes:
    *folders, name = path.split("/")
    with ExitStack() as stack:
        here = _opened(workspace, folders, stack)
        # Looked at before it is opened: opening a device may do something.
        if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
            raise RefusedPath("not a plain file")
        with os.fdopen(os.open(name, PLAIN, dir_fd=here), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > room:
                raise RefusedPath(f"{size} bytes, and there is room for {room}")
            return file.read(room)
