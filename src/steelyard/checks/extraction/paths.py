"""Say which file names of an answer can be written into a workspace."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from posixpath import normpath

LONGEST_PART = 200  # bytes; file systems take 255, and tools add endings of their own
LONGEST_PATH = 1000  # bytes
DEEPEST = 30


def stays_inside(path: str) -> bool:
    """Whether a path is plain, relative, and of a length that every file system takes.

    >>> stays_inside("src/lib.rs"), stays_inside("../x.py"), stays_inside("/etc/passwd")
    (True, False, False)
    """
    is_plain = bool(path) and path.isprintable() and normpath(path) == path
    if not is_plain or path.startswith(("/", "..")) or path == ".":
        return False
    parts = path.encode("utf-8", "replace").split(b"/")
    is_short = sum(map(len, parts)) <= LONGEST_PATH and max(map(len, parts)) <= LONGEST_PART
    return is_short and len(parts) <= DEEPEST


def without_clashes(files: Mapping[str, str]) -> dict[str, str]:
    """Return files of which none lies below another: a name cannot be a file and a folder.

    >>> without_clashes({"a.py": "1", "a.py/b.py": "2"})
    {'a.py': '1'}
    """
    return {
        path: text
        for path, text in files.items()
        if not any(str(folder) in files for folder in PurePosixPath(path).parents)
    }
