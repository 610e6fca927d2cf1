"""Read a workspace from a tar archive that an agent may have shaped, and write one."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import IO

from steelyard.model.tree import File, Tree

MOST_FILES = 200_000
# Never part of an answer: a repository's own data, whose hooks and filters git would run, and caches.
IGNORED_FOLDERS = frozenset({".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
EXECUTABLE, READABLE = 0o755, 0o644
KINDS = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.FIFOTYPE: "a pipe",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
}


def read_tree(archive: IO[bytes], folder: str) -> Tree:
    """Return the tree of an archive of a folder; raises ValueError if it is none or has too many files.

    A hard link counts as the file that it leads to, if that is in the archive.
    """
    files, others, owner = dict[str, File](), dict[str, str](), (0, 0)
    root = PurePosixPath(folder).name
    with tarfile.open(fileobj=archive, mode="r:") as tar:
        for number, member in enumerate(tar):
            if number > MOST_FILES:
                raise ValueError(f"{folder} has more than {MOST_FILES:,} files")
            path = _relative_path(member.name, root)
            if path is None or _is_ignored(path):
                continue
            if path == ".":
                if not member.isdir():
                    raise ValueError(f"{folder} is no folder any more")
                owner = (member.uid, member.gid)
            elif member.isreg():
                content = tar.extractfile(member)
                files[path] = File(
                    content=content.read() if content else b"", is_executable=bool(member.mode & 0o100)
                )
            elif member.islnk() and (linked := files.get(_relative_path(member.linkname, root) or "")):
                files[path] = linked
            elif not member.isdir():
                target = f" to {member.linkname}" if member.issym() else ""
                others[path] = f"{KINDS.get(member.type, 'no plain file')}{target}"
    return Tree(files=files, others=others, owner=owner)


def write_archive(
    files: Mapping[str, File],
    *,
    owner: tuple[int, int] = (0, 0),
    folders: tuple[str, ...] = (),
    open_folders: tuple[str, ...] = (),
) -> bytes:
    """Return a tar archive of some files, and of folders that must exist; all can write to open ones."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in folders:
            tar.addfile(_member(path, owner, is_folder=True))
        for path in open_folders:
            tar.addfile(_member(path, owner, mode=0o777, is_folder=True))
        for path, file in files.items():
            member = _member(path, owner, mode=EXECUTABLE if file.is_executable else READABLE)
            member.size = len(file.content)
            tar.addfile(member, io.BytesIO(file.content))
    return buffer.getvalue()


def _member(
    path: str, owner: tuple[int, int], *, mode: int = EXECUTABLE, is_folder: bool = False
) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.uid, member.gid = owner
    member.mode = mode
    member.type = tarfile.DIRTYPE if is_folder else tarfile.REGTYPE
    return member


def _relative_path(name: str, root: str) -> str | None:
    """Return a member's path below the folder; None for one that leads elsewhere."""
    path = PurePosixPath(name)
    parts = path.parts[1:] if path.parts[:1] == (root,) else path.parts
    if path.is_absolute() or ".." in parts:
        return None
    return str(PurePosixPath(*parts))


def _is_ignored(path: str) -> bool:
    return not IGNORED_FOLDERS.isdisjoint(PurePosixPath(path).parts) or path.endswith(".pyc")
