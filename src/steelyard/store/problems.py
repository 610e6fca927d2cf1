"""Read the list of cases that should have been answered, such as `problems.csv`.

Only the names are read; whatever else the file holds is left alone.
"""

from pathlib import Path

import duckdb

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping
from steelyard.model.state import ExpectedCase
from steelyard.store.database import connect
from steelyard.store.diagnosis import EMPTY, RowFault, explain_fault, locate_fault
from steelyard.store.files import input_files
from steelyard.store.reading import Table, tables

DEFAULT_NAMING = ColumnMapping()
LOOKED_FOR = frozenset({"case", "suite"})


def expected_cases(path: str | Path, naming: ColumnMapping = DEFAULT_NAMING) -> frozenset[ExpectedCase]:
    """Return the cases listed in a file, with their suites if given.

    The columns that the user chose for the outcomes are those here too, where the file has them.
    """
    files = input_files([path])
    with connect() as connection:
        result: tuple[Table, ...] = ()
        try:
            result = tables(connection, files, naming, only=LOOKED_FOR)
            return _read_cases(connection, result[0])
        except RowFault as fault:
            raise locate_fault(connection, result, fault) from None
        except duckdb.Error as error:
            raise explain_fault(connection, files, result, error) from error


def _read_cases(connection: duckdb.DuckDBPyConnection, table: Table) -> frozenset[ExpectedCase]:
    values = {field.field.column: table.value(field) for field in table.fields}
    if "case_id" not in values:
        raise InputError(
            f"{table.where}: no column names the cases; expected a column such as 'case', 'case_id' or 'oid'"
        )
    rows = connection.execute(
        f"SELECT DISTINCT {values.get('suite', 'NULL')}, {values['case_id']} FROM {table.scan}"
    ).fetchall()
    if any(not case for _, case in rows):
        raise RowFault("case_id", EMPTY, "every row needs a case")
    if not rows:
        raise InputError(f"{table.where}: lists no cases")
    return frozenset(ExpectedCase(suite, case) for suite, case in rows)
