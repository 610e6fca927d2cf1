"""Put a finished table in order: few files, sorted by case, so that one case is a short read.

One commit replaces all rows by the same rows; a reader sees either the old files or the new ones.
"""

from steelyard.errors import InputError, StoreError
from steelyard.store.run.files import reading
from steelyard.store.run.table import StoreTable

ORDER = "model, tier, suite, case_id, case_digest, attempt"


def compact(table: StoreTable) -> None:
    """Sort a table's rows into few files, unless they are in one already."""
    if len(table.files()) > 1:
        _rewrite(table)


def migrate(table: StoreTable) -> None:
    """Give a table of an earlier version the columns that came later; refuse one of a later version."""
    known, present = {column.name for column in table.columns}, table.present()
    if unknown := sorted(present - known):
        raise InputError(
            f"{table.location.address}: this version knows no column {', '.join(unknown)}; "
            f"write to this run with the version of Steelyard that began it, or a later one"
        )
    if known - present:
        table.keep_statistics()
        _rewrite(table)


def _rewrite(table: StoreTable) -> None:
    expected = sum(file.rows for file in table.files())
    with reading(table) as connection:
        ((distinct,),) = connection.execute(
            "SELECT count(*) FROM (SELECT DISTINCT case_key, attempt FROM rows)"
        ).fetchall()
        if distinct != expected:
            raise StoreError(
                f"{table.location.address}: {expected} rows, but only {distinct} different "
                f"attempts; nothing was changed"
            )
        table.replace_all(connection.sql(f"SELECT * FROM rows ORDER BY {ORDER}"))
    result = sum(file.rows for file in table.files())
    if result != expected:
        raise StoreError(f"{table.location.address}: {expected} rows were put in order and {result} came out")
