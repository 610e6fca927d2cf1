"""Query a run by SQL, with the views `samples` and `outcomes`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from arro3.core import Table

from steelyard.errors import InputError, UserError
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.store.database import connect, identifier
from steelyard.store.parquet import Value, create_table
from steelyard.store.run.columns import COLUMNS, OUTCOMES, SAMPLES
from steelyard.store.run.files import engine, rows_of
from steelyard.store.run.run_store import RunStore, open_run, retry_on_conflict

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

ROWS_SHOWN = 20
# A column in integer steps → its name in plain units, and how many steps are one unit.
PLAIN_UNITS = {
    "cost_nano_usd": ("cost_usd", NANO_USD),
    "latency_us": ("latency_s", MICROSECONDS),
    "first_byte_us": ("first_byte_s", MICROSECONDS),
    "check_us": ("check_s", MICROSECONDS),
    "score_micro": ("score", MICRO_POINTS),
    "tests_micro": ("tests_share", MICRO_POINTS),
    "impl_micro": ("impl_rate", MICRO_POINTS),
}
# Errors of the query, not of the tables; the last three occur when it runs.
FAULTS_OF_SQL = (
    *(duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException),
    *(duckdb.ConversionException, duckdb.InvalidInputException, duckdb.OutOfRangeException),
)


class Rows:
    """The rows of a query, in memory."""

    def __init__(self, table: Table) -> None:
        """Take a table."""
        self._table = table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def __len__(self) -> int:
        """Count the rows."""
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Give each row as a dictionary."""
        for batch in self._table.to_batches():
            columns = [batch[name].to_pylist() for name in self.columns]
            yield from (dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True))

    def to_arrow(self) -> Table:
        """Return the rows as an Arrow table."""
        return self._table

    def in_plain_units(self) -> "Rows":
        """Return the rows with costs in USD, times in seconds, shares from 0 to 1."""
        columns = ", ".join(map(_in_plain_unit, self.columns))
        with connect() as connection:
            return Rows(Table.from_arrow(connection.from_arrow(self._table).project(columns)))

    def to_pandas(self) -> "pd.DataFrame":
        """Return the rows as a pandas data frame."""
        _require("pandas")
        with connect() as connection:
            frame: pd.DataFrame = connection.from_arrow(self._table).df()
        return frame

    def to_polars(self) -> "pl.DataFrame":
        """Return the rows as a polars data frame, zero-copy where possible."""
        _require("polars")
        import polars as pl  # noqa: PLC0415  # no dependency of ours

        return pl.DataFrame(self._table)

    def __repr__(self) -> str:
        """Return the number of rows and the columns."""
        return f"<{len(self):,} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Show the first rows in a notebook."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        first = self._table.slice(0, min(len(self), ROWS_SHOWN))
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>"
            for row in Rows(first)
        )
        remaining = len(self) - min(len(self), ROWS_SHOWN)
        more = f"<p>and {remaining:,} more rows</p>" if remaining else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _in_plain_unit(column: str) -> str:
    """Return SQL for a column in its plain unit, named accordingly."""
    if column not in PLAIN_UNITS:
        return identifier(column)
    name, steps = PLAIN_UNITS[column]
    return f"{column} / {steps}.0 AS {name}"


def _require(library: str) -> None:
    if find_spec(library) is None:
        raise UserError(f"this needs the package {library!r}, which is not installed: pip install {library}")


def query_run(address: str | Path, sql: str, *, threads: int | None = None) -> Rows:
    """Return the rows of an SQL query on a run."""
    return retry_on_conflict(open_run(address), lambda store: _answer(store, sql, threads))


def _answer(store: RunStore, sql: str, threads: int | None) -> Rows:
    with engine(store.location.address, threads=threads) as connection:
        for name, table in ((SAMPLES, store.samples), (OUTCOMES, store.outcomes)):
            connection.execute(f"CREATE TEMP VIEW {name} AS {rows_of(table)}")
        try:
            result = connection.sql(sql)
            if result is None:
                raise InputError("this SQL returns no rows: begin with SELECT")
            twice = [name for name, times in Counter(result.columns).items() if times > 1]
            if twice:
                raise InputError(f"this SQL gives several columns the name {twice[0]!r}: rename one with AS")
            return Rows(Table.from_arrow(result))  # which runs it
        except FAULTS_OF_SQL as error:
            raise InputError(f"this SQL cannot be answered: {error}") from error


def rows_of_run(
    address: str | Path, table: str = OUTCOMES, *, exact: bool = True, threads: int | None = None
) -> Rows:
    """Return all rows of one of a run's tables: as they are kept or, not `exact`, in plain units.

    Plain units are US dollars, seconds and shares from 0 to 1, under names such as `cost_usd`.
    """
    if table not in COLUMNS:
        raise InputError(f"{table}: a run has the tables {SAMPLES} and {OUTCOMES}")
    everything = query_run(address, f"SELECT * FROM {table}", threads=threads)
    return everything if exact else everything.in_plain_units()


def rows_from(types: Mapping[str, type], rows: Sequence[Sequence[Value]]) -> Rows:
    """Return rows of plain values; an unknown value is null."""
    with connect(threads=1) as connection:
        create_table(connection, types, rows)
        return Rows(Table.from_arrow(connection.sql("SELECT * FROM it")))
