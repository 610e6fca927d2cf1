"""Open a run's active files with the engine, as one view of rows.

Files are read by their addresses, without the table library's own reader, which may abort at exit.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

import duckdb

from steelyard.errors import StoreError
from steelyard.store.database import connect, sql_text
from steelyard.store.run.columns import StoredColumn
from steelyard.store.run.location import cloud_extra_missing, is_remote
from steelyard.store.run.table import StoreTable

if TYPE_CHECKING:
    from steelyard.store.run.bucket.files import BucketFiles


@contextmanager
def reading(
    table: StoreTable,
    holding: Mapping[str, str] | None = None,
    *,
    threads: int | None = None,
    reader: "RunReader | None" = None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection with a table's rows, or those that hold some values, as the view `rows`.

    It belongs to an open reader, or to a database of its own, which takes some 40 ms to open.
    """
    with reader.cursor() if reader else engine(table.location.address, threads=threads) as connection:
        connection.execute(f"CREATE TEMP VIEW rows AS {rows_of(table, holding)}")
        yield connection


class RunReader:
    """A database that can read the files below an address, and remembers what it has read about them.

    It is opened on first use: a viewer may never need it.
    """

    def __init__(self, address: str, *, threads: int | None = None, memory: str | None = None) -> None:
        """Take the limits. Without one it may take most of the memory."""
        self._address, self._threads, self._memory = address, threads, memory
        self._bucket: BucketFiles | None = None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._opening = Lock()

    def close(self) -> None:
        """Free the memory."""
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a connection with its own temporary views; raise StoreError for an unreadable file."""
        with self._opened().cursor() as cursor:
            # Data files never change: cache their footers. A setting of each cursor.
            cursor.execute("SET parquet_metadata_cache = true; SET enable_progress_bar = false")
            try:
                yield cursor
            except duckdb.Error as error:
                # The other lines contain the SQL, with the addresses of all files.
                what = (self._bucket and self._bucket.fault) or str(error).partition("\n")[0]
                raise StoreError(f"{self._address}: cannot be read: {what}") from error

    def _opened(self) -> duckdb.DuckDBPyConnection:
        with self._opening:
            if self._connection is None:
                self._bucket = _bucket_files(self._address) if is_remote(self._address) else None
                opened = connect(threads=self._threads)
                if self._bucket is not None:
                    opened.register_filesystem(self._bucket)
                if self._memory is not None:
                    opened.execute(f"SET memory_limit = {sql_text(self._memory)}")
                self._connection = opened
            return self._connection


@contextmanager
def engine(address: str, *, threads: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection for one use that can read the files at an address."""
    opened = RunReader(address, threads=threads)
    try:
        with opened.cursor() as cursor:
            yield cursor
    finally:
        opened.close()


def _bucket_files(address: str) -> "BucketFiles":
    try:
        from steelyard.store.run.bucket.files import BucketFiles  # noqa: PLC0415  # needs the extra `cloud`
    except ModuleNotFoundError as error:
        raise cloud_extra_missing(error) from error
    return BucketFiles(address)


def rows_of(table: StoreTable, holding: Mapping[str, str] | None = None) -> str:
    """Return SQL for a table's rows, or those that hold some values, in all columns."""
    sql = rows_sql([file.uri for file in table.files(holding)], table.columns, table.present())
    if not holding:
        return sql
    same = " AND ".join(f"{name} = {sql_text(value)}" for name, value in holding.items())
    return f"SELECT * FROM ({sql}) WHERE {same}"


def rows_sql(uris: Sequence[str], columns: Sequence[StoredColumn], present: Collection[str]) -> str:
    """Return SQL for all rows of some files; columns that came later than the files read as null."""
    listed = ", ".join(
        column.name if uris and column.name in present else f"CAST(NULL AS {column.type}) AS {column.name}"
        for column in columns
    )
    if not uris:
        return f"SELECT {listed} LIMIT 0"
    return f"SELECT {listed} FROM read_parquet([{', '.join(sql_text(literal(uri)) for uri in uris)}])"


def literal(uri: str) -> str:
    """Return a file's address as a pattern that only this file matches."""
    return re.sub(r"[*?[]", r"[\g<0>]", uri)
