"""Turn a small table of plain values into a Parquet file, for tools that read nothing but tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from steelyard.store.database import connect, identifier, sql_text

Value = str | int | float | None

TYPES: Mapping[type, str] = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE"}


def parquet_bytes(types: Mapping[str, type], rows: Sequence[Sequence[Value]]) -> bytes:
    """Return a Parquet file of these columns and rows; an unknown value is null."""
    columns = ", ".join(f"{identifier(name)} {TYPES[kind]}" for name, kind in types.items())
    with TemporaryDirectory(prefix="steelyard-") as folder, connect(threads=1) as connection:
        path = Path(folder) / "table.parquet"
        connection.execute(f"CREATE TABLE it ({columns})")
        if rows:
            connection.executemany(f"INSERT INTO it VALUES ({', '.join('?' for _ in types)})", rows)
        connection.execute(f"COPY it TO {sql_text(str(path))} (FORMAT parquet, COMPRESSION zstd)")
        return path.read_bytes()
