"""Write a small table as a Parquet file, for tools that read only tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from duckdb import DuckDBPyConnection

from steelyard.store.database import connect, identifier, sql_text

Value = str | int | float | None

TYPES: Mapping[type, str] = {str: "VARCHAR", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}


def parquet_bytes(types: Mapping[str, type], rows: Sequence[Sequence[Value]]) -> bytes:
    """Return a Parquet file of columns and rows; None becomes null."""
    with TemporaryDirectory(prefix="steelyard-") as folder, connect(threads=1) as connection:
        path = Path(folder) / "table.parquet"
        create_table(connection, types, rows)
        connection.execute(f"COPY it TO {sql_text(str(path))} (FORMAT parquet, COMPRESSION zstd)")
        return path.read_bytes()


def create_table(
    connection: DuckDBPyConnection, types: Mapping[str, type], rows: Sequence[Sequence[Value]]
) -> None:
    """Create the table `it` of these columns and rows."""
    columns = ", ".join(f"{identifier(name)} {TYPES[kind]}" for name, kind in types.items())
    connection.execute(f"CREATE TABLE it ({columns})")
    if rows:
        connection.executemany(f"INSERT INTO it VALUES ({', '.join('?' for _ in types)})", rows)
