"""A run under a prefix of an object store: S3, Google Cloud Storage or Azure, all by one path.

Credentials come from the environment, under the vendors' own names; no message repeats any of them.
"""

from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore, from_url

from steelyard.errors import StoreError, UserError
from steelyard.store.run.library_message import library_message

UNUSABLE = "?#%*[]"  # what an address or a pattern of files takes for something else


class Bucket:
    """A prefix of an object store."""

    def __init__(self, address: str) -> None:
        """Use the prefix as given; it may still be empty."""
        self._address = address.rstrip("/")
        root, self._key = split_address(self._address)
        self._store = store_of(root)

    @property
    def address(self) -> str:
        """The address as the user gave it."""
        return self._address

    @property
    def options(self) -> dict[str, str]:
        """Nothing: the table library reads the same environment."""
        return {}

    def child(self, name: str) -> "Bucket":
        """Return the prefix of that name under this one."""
        return Bucket(f"{self._address}/{name}")

    def names(self) -> list[str]:
        """List the names directly under this prefix, sorted."""
        try:
            listed = obstore.list_with_delimiter(self._store, self._key or None)
        except (BaseError, OSError) as error:
            raise StoreError(f"{self._address}: cannot be listed: {library_message(error)}") from error
        paths = [*listed["common_prefixes"], *(result["path"] for result in listed["objects"])]
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def read(self, name: str) -> bytes | None:
        """Return the contents of an object, None if it does not exist."""
        try:
            return bytes(obstore.get(self._store, self._path(name)).bytes())
        except FileNotFoundError:
            return None
        except (BaseError, OSError) as error:
            raise StoreError(f"{self._address}/{name}: cannot be read: {library_message(error)}") from error

    def write(self, name: str, content: bytes) -> None:
        """Write a whole object, which an object store never shows by halves."""
        try:
            obstore.put(self._store, self._path(name), content)
        except (BaseError, OSError) as error:
            raise StoreError(
                f"{self._address}/{name}: cannot be written: {library_message(error)}"
            ) from error

    def flush(self, *names: str) -> None:
        """Return at once: an object store confirms only what will last."""

    def remove(self, *names: str) -> None:
        """Remove these objects; one that is gone already is no fault."""
        try:
            self._delete([self._path(name) for name in names])
        except (BaseError, OSError) as error:
            raise StoreError(f"{self._address}: cannot be cleared: {library_message(error)}") from error

    def _delete(self, paths: list[str]) -> None:
        try:
            obstore.delete(self._store, paths)
        except FileNotFoundError:
            # Some stores stop at the first missing object.
            for path in paths:
                with suppress(FileNotFoundError):
                    obstore.delete(self._store, path)

    def _path(self, name: str) -> str:
        return f"{self._key}/{name}".lstrip("/")


def split_address(address: str) -> tuple[str, str]:
    """Return the bucket of an address, and the path in it.

    >>> split_address("s3://bucket/runs/1")
    ('s3://bucket', 'runs/1')
    """
    parts = urlsplit(address)
    if not parts.netloc or set(UNUSABLE) & set(address):
        raise UserError(f"{address}: expected {parts.scheme}://BUCKET/PATH, without any of {UNUSABLE}")
    return f"{parts.scheme}://{parts.netloc}", parts.path.strip("/")


@cache
def store_of(root: str) -> ObjectStore:
    """Return the cached client of a bucket: each keeps connections open."""
    try:
        return from_url(root)
    except (BaseError, OSError, ValueError) as error:
        raise UserError(f"{root}: cannot be opened: {library_message(error)}") from error
