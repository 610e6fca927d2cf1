"""Read members of a zip archive by name, within size limits; supports Zstandard.

Members are never written to disk, so their names cannot escape a folder.
"""

import sys
import zipfile as standard
import zlib
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Self, cast

from steelyard.errors import InputError, UserError, install_extra
from steelyard.unpacking import is_parsable

LARGEST_MEMBER = 32 * 2**20  # bytes, unpacked
LARGEST_ARCHIVE = 2 * 2**30  # bytes of all members that are read
MOST_MEMBERS = 1_000_000
ZSTANDARD = 93


class Archive:
    """A zip archive, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size = 0
        library = _library()
        try:
            self._zip = library.ZipFile(path)
        except (standard.BadZipFile, library.BadZipFile, ValueError, NotImplementedError) as error:
            raise InputError(f"{path}: the zip archive is damaged or was cut off: {error}") from None
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
        # Names may repeat; the last member counts.
        self._members = {member.filename: member for member in self._zip.infolist()}
        if len(self._members) > MOST_MEMBERS:
            raise InputError(f"{path}: too many members for a log ({len(self._members)})")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def names(self) -> list[str]:
        """Return the names of the members, each once."""
        return list(self._members)

    def read(self, name: str) -> bytes | None:
        """Return a member; None if it does not exist or is too large.

        Raises:
            InputError: The archive is damaged or too large.
            UserError: A library for Zstandard is missing.
        """
        member = self._members.get(name)
        if member is None or member.file_size > LARGEST_MEMBER:
            return None
        if member.compress_type == ZSTANDARD and not _reads_zstandard():
            raise UserError(
                f"{self.path}: compressed with Zstandard, which Python supports from 3.14 on; "
                f"install the library: {install_extra('logs')}"
            )
        try:
            # The stated size may be wrong: limit the unpacked size too.
            with self._zip.open(member) as file:
                data = cast("bytes", file.read(LARGEST_MEMBER + 1))
        except _faults() as error:
            raise InputError(f"{self.path}: {name[:100]!a} is damaged: {error}") from None
        self._size += len(data)
        if self._size > LARGEST_ARCHIVE:
            raise InputError(
                f"{self.path}: larger than {LARGEST_ARCHIVE >> 30} GiB unpacked; too large for a log"
            )
        return data if len(data) <= LARGEST_MEMBER and is_parsable(data) else None


def _library() -> ModuleType:
    """Return the zipfile module, with support for Zstandard if installed."""
    if sys.version_info < (3, 14):
        try:
            from backports.zstd import zipfile  # noqa: PLC0415  # an extra
        except ImportError:
            return standard
        return zipfile
    return standard  # type: ignore[unreachable]  # not in the Python version of the type checker


def _reads_zstandard() -> bool:
    return _library() is not standard or sys.version_info >= (3, 14)


def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions for damaged members."""
    faults: list[type[Exception]] = [standard.BadZipFile, _library().BadZipFile, zlib.error]
    faults += [OSError, EOFError, ValueError, RuntimeError]
    try:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdError  # noqa: PLC0415  # Python 3.14
        else:
            from backports.zstd import ZstdError  # noqa: PLC0415  # an extra
        faults.append(ZstdError)
    except ImportError:
        pass
    return tuple(faults)
