"""Validate rows of counts (n samples, c passed) before they are expanded."""

from collections.abc import Iterable

import duckdb

from steelyard.store.diagnosis import EMPTY, RowFault
from steelyard.store.fields import PASSED_N, SAMPLES_N
from steelyard.store.reading import Table

MOST_SAMPLES = 1_000_000  # of one row
# The invalid column, an SQL condition over `value` and our columns, and the expectation.
FAULTS = (
    (SAMPLES_N, EMPTY, "every row needs the number of samples"),
    (PASSED_N, EMPTY, "every row needs the number of samples that passed"),
    (SAMPLES_N, f"value > {MOST_SAMPLES}", f"expected at most {MOST_SAMPLES} samples in a row"),
    (PASSED_N, f"value > {SAMPLES_N}", "more samples passed than there are"),
    (SAMPLES_N, "value < 1", "expected at least one sample; leave cases without samples out"),
    (PASSED_N, "value < 0", "expected a whole number from 0"),
)


def require_sound_counts(connection: duckdb.DuckDBPyConnection, tables: Iterable[Table]) -> None:
    """Raise InputError for impossible counts, with their location."""
    for table in (table for table in tables if table.holds_counts):
        values = {field.field.column: table.value(field) for field in table.fields}
        counts = (
            f"SELECT {values[SAMPLES_N]} AS {SAMPLES_N}, {values[PASSED_N]} AS {PASSED_N} FROM {table.scan}"
        )
        for column, condition, expected in FAULTS:
            bad = condition.replace("value", column)
            if connection.execute(f"SELECT 1 FROM ({counts}) WHERE {bad} LIMIT 1").fetchone():
                raise RowFault(column, condition, expected)
