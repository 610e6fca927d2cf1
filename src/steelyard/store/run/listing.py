"""Read the active files of a table from its log: names, rows, sizes and ranges of values.

Opens no data file.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from arro3.core import Table

from steelyard.errors import StoreError
from steelyard.store.run.columns import StoredColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCount:
    """Exact statistics of a column over all active files, from the table log."""

    nulls: int
    lowest: object
    highest: object


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """An active file with its statistics from the log."""

    uri: str
    rows: int
    size_bytes: int


class Listing:
    """The active files of one version of a table."""

    def __init__(self, address: str, actions: Table) -> None:
        """Take what the table library lists of the files at an address."""
        self._address = address
        self._actions = actions
        self._names = frozenset(actions.column_names)
        self.paths: list[str] = [unquote(path) for path in self._column("path")]
        if outside := next((path for path in self.paths if _is_outside(path)), None):
            raise StoreError(f"{address}: the log of the table names a file outside of it: {outside!r}")

    def files(self, holding: Mapping[str, str]) -> tuple[DataFile, ...]:
        """Return the files that may hold rows with these values."""
        possible = self._possible(holding)
        listed = zip(self.paths, self._column("num_records"), self._column("size_bytes"), strict=True)
        data_files = [
            # Not the library's own addresses: they are wrong for folders with a space.
            DataFile(uri=f"{self._address}/{path}", rows=rows, size_bytes=size)
            for path, rows, size in listed
            if path in possible
        ]
        return tuple(sorted(data_files, key=lambda file: file.uri))

    def counts(self, columns: Iterable[StoredColumn]) -> dict[str, ColumnCount]:
        """Return the log's statistics of the counted ones of these columns."""
        return {
            column.name: ColumnCount(
                nulls=sum(self._column(f"null_count.{column.name}")),
                lowest=self._extreme(f"min.{column.name}", min),
                highest=self._extreme(f"max.{column.name}", max),
            )
            for column in columns
            if f"null_count.{column.name}" in self._names
        }

    def _column(self, name: str) -> list[Any]:
        values = list(self._actions[name].to_pylist())
        if None in values:
            path = self._actions["path"].to_pylist()[values.index(None)]
            raise StoreError(
                f"{self._address}/{path}: the log does not say {name} of this file: "
                f"a tool has written here that keeps no statistics"
            )
        return values

    def _possible(self, holding: Mapping[str, str]) -> set[str]:
        """Return the files whose value ranges include the given values."""
        possible = set(self.paths)
        for name, requested in holding.items():
            if not {f"min.{name}", f"max.{name}"} <= self._names:
                continue
            lowest, highest = (self._actions[f"{bound}.{name}"].to_pylist() for bound in ("min", "max"))
            for path, low, high in zip(self.paths, lowest, highest, strict=True):
                # The log truncates long values, so only their prefixes are compared.
                if low is not None and high is not None and not low <= requested <= f"{high}\U0010ffff":
                    possible.discard(path)
        return possible

    def _extreme(self, name: str, choose: Callable[..., object]) -> object:
        if name not in self._names:
            return None
        values = [value for value in self._actions[name].to_pylist() if value is not None]
        return choose(values) if values else None


def _is_outside(path: str) -> bool:
    """Whether a file of the log is not in the folder of its table; a run may come from another user.

    >>> [_is_outside(path) for path in ("part-0.parquet", "a/part-0.parquet", "../part-0.parquet", "/etc/x", "s3://b/x")]
    [False, False, True, True, True]
    """
    return path.startswith("/") or ":" in path or ".." in path.split("/")
