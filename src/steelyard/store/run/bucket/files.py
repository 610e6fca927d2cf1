"""Let the engine read the files of a bucket, piece by piece, over the object store's own client.

Data files are written once and never changed, so that what is known about one stays true.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from threading import get_ident
from typing import Any
from urllib.parse import unquote, urlsplit

import obstore
from fsspec import AbstractFileSystem
from obstore.exceptions import BaseError

from steelyard.store.run.bucket.client import split_address, store_of
from steelyard.store.run.library_message import library_message


class BucketFiles(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types
    """The files of one bucket, named as in the table log."""

    cachable = False  # fsspec would keep every instance for ever

    def __init__(self, address: str) -> None:
        """Serve all files of the bucket of an address."""
        super().__init__()
        root, _ = split_address(address)
        self.protocol = urlsplit(address).scheme
        self._store = store_of(root)
        self._known = cache(self._looked_up)
        self.fault: str | None = None  # what went wrong; the engine would only show a traceback of it

    def open(self, path: str, mode: str = "rb", **_: object) -> "BucketFile":  # noqa: ARG002  # only ever "rb"
        """Open a file to read it."""
        return BucketFile(self._fetch, _path(path), self._known(path)[0])

    def info(self, path: str, **_: object) -> dict[str, Any]:
        """Return the size of a file."""
        return {"name": path, "size": self._known(path)[0], "type": "file"}

    def modified(self, path: str) -> datetime:
        """Return when a file was written."""
        return self._known(path)[1]

    def glob(self, path: str, **_: object) -> list[str]:
        """Return the name itself: the log names files, never patterns."""
        return [path]

    def _looked_up(self, uri: str) -> tuple[int, datetime]:
        with self._noting_faults():
            metadata = obstore.head(self._store, _path(uri))
        return metadata["size"], metadata["last_modified"]

    def _fetch(self, path: str, start: int, end: int) -> bytes:
        with self._noting_faults():
            return bytes(obstore.get_range(self._store, path, start=start, end=end))

    @contextmanager
    def _noting_faults(self) -> Iterator[None]:
        try:
            yield
        except (BaseError, OSError) as error:
            self.fault = library_message(error)
            raise


class BucketFile:
    """An open file, in which each thread has a place of its own.

    The engine seeks and then reads, and several of its threads do so at once over one open file.
    """

    def __init__(self, fetch: Callable[[str, int, int], bytes], path: str, size: int) -> None:
        """Wrap an existing file with a function that fetches a byte range."""
        self._fetch, self._path, self._size = fetch, path, size
        # Not `threading.local`, which older DuckDBs (1.4.3) empty: they enter Python anew for each call.
        self._offsets: dict[int, int] = {}

    def seek(self, offset: int) -> int:
        """Go to a place in the file, counted from its beginning."""
        self._offsets[get_ident()] = offset
        return offset

    def tell(self) -> int:
        """Return the place in the file."""
        return self._offsets.get(get_ident(), 0)

    def read(self, length: int = -1) -> bytes:
        """Read the next bytes, by default all; releases the lock for other threads."""
        start = self.tell()
        end = self._size if length < 0 else min(start + length, self._size)
        if start >= end:
            return b""
        self._offsets[get_ident()] = end
        return self._fetch(self._path, start, end)

    def close(self) -> None:
        """Do nothing: an open file holds no connection."""


def _path(uri: str) -> str:
    return unquote(urlsplit(uri).path).lstrip("/")
