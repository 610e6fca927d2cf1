"""Open a run's active files with the engine, as one view of rows.

Files are read by their addresses; the table library's own reader is not used (it may abort at exit).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

import duckdb

from steelyard.errors import StoreError
from steelyard.store.database import connect, quoted
from steelyard.store.run.columns import Column
from steelyard.store.run.location import is_remote, remote
from steelyard.store.run.table import RunTable


@contextmanager
def reading(
    table: RunTable, holding: Mapping[str, str] | None = None, *, threads: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection that has a table's rows, or those that hold some values, as the view `rows`."""
    with engine(table.place.address, threads=threads) as connection:
        connection.execute(f"CREATE TEMP VIEW rows AS {rows_of(table, holding)}")
        yield connection


@contextmanager
def engine(address: str, *, threads: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection that can read the files at an address, or say which one cannot be read."""
    bucket = remote("files").BucketFiles(address) if is_remote(address) else None
    with connect(threads=threads) as connection:
        if bucket is not None:
            connection.register_filesystem(bucket)
        try:
            yield connection
        except duckdb.Error as error:
            # What follows the first line shows the SQL, with the address of every file.
            what = (bucket and bucket.fault) or str(error).partition("\n")[0]
            raise StoreError(f"{address}: cannot be read: {what}") from error


def rows_of(table: RunTable, holding: Mapping[str, str] | None = None) -> str:
    """Return SQL for a table's rows, or those that hold some values, in all columns."""
    sql = rows_sql([file.uri for file in table.files(holding)], table.columns, table.present())
    if not holding:
        return sql
    same = " AND ".join(f"{name} = {quoted(value)}" for name, value in holding.items())
    return f"SELECT * FROM ({sql}) WHERE {same}"


def rows_sql(uris: Sequence[str], columns: Sequence[Column], present: Collection[str]) -> str:
    """Return SQL for all rows of some files; columns that came later than the files read as null."""
    listed = ", ".join(
        column.name if uris and column.name in present else f"CAST(NULL AS {column.type}) AS {column.name}"
        for column in columns
    )
    if not uris:
        return f"SELECT {listed} LIMIT 0"
    return f"SELECT {listed} FROM read_parquet([{', '.join(quoted(_literal(uri)) for uri in uris)}])"


def _literal(uri: str) -> str:
    """Return a file's address as a pattern that only this file matches."""
    return re.sub(r"[*?[]", r"[\g<0>]", uri)
