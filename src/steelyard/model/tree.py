"""Hold the files of a workspace, and the difference between two states of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A plain file."""

    content: bytes
    is_executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The plain files of a folder, by their paths relative to it.

    `others` are links, pipes and the like, each with what it is. `owner` is the user and group of the folder.
    """

    files: Mapping[str, File] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    owner: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What turns one tree into another."""

    written: Mapping[str, File] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All changed paths, sorted."""
        return tuple(sorted((*self.written, *self.deleted)))

    def without(self, paths: frozenset[str]) -> "Changes":
        """Return the changes of other paths only."""
        return Changes(
            written={path: file for path, file in self.written.items() if path not in paths},
            deleted=tuple(path for path in self.deleted if path not in paths),
        )


def changes_between(old: Tree, new: Tree) -> Changes:
    """Return the plain files that differ.

    >>> old = Tree(files={"a": File(content=b"1"), "b": File(content=b"2")})
    >>> changes_between(old, Tree(files={"a": File(content=b"1", is_executable=True)}))
    Changes(written={'a': File(content=b'1', is_executable=True)}, deleted=('b',))
    """
    written = {path: file for path, file in new.files.items() if old.files.get(path) != file}
    return Changes(written=written, deleted=tuple(path for path in old.files if path not in new.files))
