"""Decide which file names of an answer can be written to a workspace."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from posixpath import normpath

LONGEST_PART = 200  # bytes; file systems allow 255, and tools append suffixes
LONGEST_PATH = 1000  # bytes
DEEPEST = 30
MOST_FILES = 200  # of an answer: each costs the sandbox an argument and a descriptor


def stays_inside(path: str) -> bool:
    """Whether a path is normalised, relative and short enough for any file system.

    >>> stays_inside("src/lib.rs"), stays_inside("../x.py"), stays_inside("/etc/passwd")
    (True, False, False)
    """
    is_plain = bool(path) and path.isprintable() and normpath(path) == path
    if not is_plain or path.startswith(("/", "..")) or path == ".":
        return False
    parts = path.encode("utf-8", "replace").split(b"/")
    is_short = sum(map(len, parts)) <= LONGEST_PATH and max(map(len, parts)) <= LONGEST_PART
    return is_short and len(parts) <= DEEPEST


def fitting(files: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
    """Return the files that fit beside existing ones: not too many, and no path inside another file.

    >>> fitting({"a.py": "1", "a.py/b.py": "2", "run.py/c.py": "3"}, ["run.py"])
    {'a.py': '1'}
    """
    existing = set(taken)
    folders = {folder for path in existing for folder in _folders(path)}
    kept: dict[str, str] = {}
    for path, text in files.items():
        if len(kept) < MOST_FILES and path not in folders and not existing & _folders(path):
            kept[path] = text
            existing.add(path)
            folders |= _folders(path)
    return kept


def _folders(path: str) -> set[str]:
    return set(map(str, PurePosixPath(path).parents))
