"""Collect files from the workspace of an untrusted command that has ended.

Follows no links, reads only plain files, and bounds their sizes.
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
EXCLUDE = "!"  # first character of an excluding pattern
MOST_FILES, MOST_ENTRIES, DEEPEST = 2_000, 200_000, 40
NONE: Mapping[str, bytes] = MappingProxyType({})
# Descriptors of the workspace and of the folders in it that are mounts, by their paths inside.
Folders = Mapping[str, int]
PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class RefusedPath(Exception):
    """A file that is not collected, with the reason."""


@dataclass(slots=True)
class CollectedFiles:
    """The collected files, and the refused ones with reasons."""

    files: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def collect_for(command: Command, workspace: Folders) -> CollectedFiles:
    """Collect the files that a command names, then new or changed ones that match its patterns."""
    room = command.limits.keep_bytes
    named = collect_files(workspace, command.keep, room=room)
    if not command.keep_matching:
        return named
    room -= sum(map(len, named.files.values()))
    # A read-only file has not changed; its mount point may remain as an empty file.
    skipped = named.files.keys() | command.read_only
    paths = [path for path in matching(workspace, command.keep_matching) if path not in skipped]
    changed = collect_files(workspace, paths, room=room, known=command.files)
    return CollectedFiles({**named.files, **changed.files}, {**named.refused, **changed.refused})


def matching(workspace: Folders, patterns: Sequence[str]) -> list[str]:
    """Return the sorted paths of matching plain files in a workspace."""
    included = [pattern for pattern in patterns if not pattern.startswith(EXCLUDE)]
    excluded = [pattern[1:] for pattern in patterns if pattern.startswith(EXCLUDE)]
    paths = (path for path in _below(workspace) if _matches(path, included) and not _matches(path, excluded))
    return sorted(islice(paths, MOST_FILES))


def _matches(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _below(workspace: Folders) -> Iterator[str]:
    """Yield the plain files of a workspace, up to MOST_ENTRIES entries."""
    with suppress(OSError):
        here = os.open(".", FOLDER, dir_fd=workspace[WORKSPACE])
        yield from _within(here, "", workspace, iter(range(MOST_ENTRIES)))


def _within(here: int, folder: str, workspace: Folders, budget: Iterator[int]) -> Iterator[str]:
    """Yield the plain files below an open folder and close it; unreadable folders count as empty.

    Each folder is opened once, relative to its parent: a command can create very many, deeply nested.
    """
    with ExitStack() as stack:
        stack.callback(os.close, here)
        for entry in stack.enter_context(os.scandir(here)):
            if next(budget, None) is None:
                return
            path = f"{folder}{entry.name}"
            if entry.is_file(follow_symlinks=False):
                yield path
            elif entry.is_dir(follow_symlinks=False) and folder.count("/") < DEEPEST:
                with suppress(OSError):
                    inner = _open_to_list(workspace.get(f"{WORKSPACE}/{path}"), entry.name, here)
                    yield from _within(inner, f"{path}/", workspace, budget)


def _open_to_list(mounted: int | None, name: str, parent: int) -> int:
    """Open a folder by name, or reopen the O_PATH descriptor of a mount."""
    return os.open(name, FOLDER, dir_fd=parent) if mounted is None else os.open(".", FOLDER, dir_fd=mounted)


def _opened(workspace: Folders, folders: Iterable[str], stack: ExitStack) -> int:
    """Open a folder step by step: no link on the way is followed."""
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
    """Read files of a workspace; missing and unchanged ones are in neither list."""
    collected = CollectedFiles()
    for path in paths:
        try:
            content = _read(workspace, path, room)
        except FileNotFoundError:
            continue
        except RefusedPath as reason:
            collected.refused[path] = str(reason)
        except OSError as error:
            is_link = error.errno in {errno.ELOOP, errno.ENOTDIR}
            collected.refused[path] = "a parent is a link or not a folder" if is_link else str(error.strerror)
        else:
            if content != known.get(path):
                collected.files[path] = content
                room -= len(content)
    return collected


def _read(workspace: Folders, path: str, room: int) -> bytes:
    *folders, name = path.split("/")
    with ExitStack() as stack:
        here = _opened(workspace, folders, stack)
        # Checked before it is opened: opening a device can have effects.
        if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
            raise RefusedPath("not a plain file")
        with os.fdopen(os.open(name, PLAIN, dir_fd=here), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > room:
                raise RefusedPath(f"{size} bytes; only {room} remain")
            return file.read(room)
