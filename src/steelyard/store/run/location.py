"""Describe where a run is stored: a folder, or a prefix of an object store.

Whole small files only; the tables are read and written by their own libraries.
"""

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Protocol
from uuid import uuid4

from steelyard.errors import StoreError, UserError, install_extra

LOCAL = "file://"
UNUSABLE = frozenset("[]|^*?\n\r\t") | (frozenset("\\") - {os.sep})
SCHEMES = ("s3", "gs", "az", "abfss")  # what an address of a bucket begins with


class Location(Protocol):
    """A folder, here or in an object store."""

    @property
    def address(self) -> str:
        """The address as users write it and as the libraries open it."""

    @property
    def options(self) -> dict[str, str]:
        """The options that the table library needs to open this location."""

    def child(self, name: str) -> "Location":
        """Return the folder of that name in this one."""

    def names(self) -> list[str]:
        """List the names here, in order; none if the location does not exist."""

    def read(self, name: str) -> bytes | None:
        """Return a whole file, or None if there is none of that name."""

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file, so that a reader sees either the old content or the new."""

    def flush(self, *names: str) -> None:
        """Return when these files would survive a power failure."""

    def remove(self, *names: str) -> None:
        """Remove these files; a missing one is not an error."""


class Folder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        """Use the folder as given; it may not exist yet."""
        self._path = path

    @property
    def address(self) -> str:
        """The path."""
        return str(self._path)

    @property
    def options(self) -> dict[str, str]:
        """Nothing: a folder needs no credentials."""
        return {}

    def child(self, name: str) -> "Folder":
        """Return the folder of that name in this one, or refuse a path that the table library cannot use."""
        # The table library misreads these, some with a crash.
        if unusable := sorted(UNUSABLE & set(self.address)):
            shown = " ".join(map(ascii, unusable))
            raise UserError(
                f"{self.address}: the path of a run may not contain {shown}; choose another location"
            )
        return Folder(self._path / name)

    def names(self) -> list[str]:
        """List the names here, in order; none if the location does not exist."""
        try:
            return sorted(entry.name for entry in self._path.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be listed: {error.strerror}") from error

    def read(self, name: str) -> bytes | None:
        """Return a whole file, or None if there is none of that name."""
        try:
            # A run may come from another user: reading a device or a pipe might never end.
            if not S_ISREG((self._path / name).stat().st_mode):
                raise StoreError(f"{self._path / name}: cannot be read: it is not a plain file")
            return (self._path / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreError(f"{self._path / name}: cannot be read: {error.strerror}") from error

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file under another name and rename it, which no crash can do by halves."""
        draft = self._path / f".{name}.{uuid4().hex}"
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(content)
            _flush(draft)
            draft.replace(self._path / name)
            _flush(self._path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise StoreError(f"{self._path / name}: cannot be written: {error.strerror}") from error

    def flush(self, *names: str) -> None:
        """Return only when these files, and their entries in the folder, would survive a power failure."""
        paths = [self._path / name for name in names]
        for path in (*paths, *sorted({path.parent for path in paths})):
            try:
                _flush(path)
            except OSError as error:
                raise StoreError(f"{path}: cannot be made to last: {error.strerror}") from error

    def remove(self, *names: str) -> None:
        """Remove these files; a missing one is not an error."""
        for path in (self._path / name for name in names):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(f"{path}: cannot be removed: {error.strerror}") from error


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_remote(address: str | Path) -> bool:
    """Whether an address names a bucket rather than a folder of this machine.

    >>> is_remote("s3://bucket/runs/1"), is_remote("runs/1"), is_remote("file:/" + "//runs/1")
    (True, False, False)
    """
    return isinstance(address, str) and "://" in address and not address.startswith(LOCAL)


def location_of(address: str | Path) -> Location:
    """Return the location of an address: `s3://bucket/runs/1`, or a path."""
    if not is_remote(address):
        return Folder(Path(str(address).removeprefix(LOCAL)).absolute())
    scheme = str(address).partition("://")[0]
    if scheme not in SCHEMES:
        raise UserError(
            f"{address}: runs are in a folder, or at an address that begins with "
            f"{', '.join(f'{known}://' for known in SCHEMES)}"
        )
    try:
        from steelyard.store.run.bucket.client import Bucket  # noqa: PLC0415  # needs the extra `cloud`
    except ModuleNotFoundError as error:
        raise cloud_extra_missing(error) from error
    return Bucket(str(address))


def cloud_extra_missing(error: ModuleNotFoundError) -> UserError:
    """Return the error about the missing extra for object stores."""
    return UserError(f"runs in an object store need the package {error.name!r}: {install_extra('cloud')}")
