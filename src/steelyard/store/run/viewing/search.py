"""Search the texts of a run, file by file in the order of the table, giving hits as they are found."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from steelyard.model.viewing import Hit, SearchScope
from steelyard.store.database import sql_text
from steelyard.store.run.files import RunReader, literal
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.table import StoreTable

AROUND = 80  # characters on each side of a match
FILES_AT_ONCE = 50  # small files of an unfinished run
# Rows of large files between two reports of progress: few at first, so that a frequent word is found at once.
FIRST_ROWS, ROWS_AT_ONCE = 4_096, 40_960


class Progress(NamedTuple):
    """How many rows were searched, of how many."""

    searched: int
    total: int


def search(engine: RunReader, store: RunStore, text: str, scope: SearchScope) -> Iterator[Hit | Progress]:
    """Give samples whose text holds some words, in upper or lower case, and now and then the progress.

    The caller stops the search by closing the generator.
    """
    table = store.samples if scope is SearchScope.ANSWERS else store.outcomes
    column = "text" if scope is SearchScope.ANSWERS else "detail"
    total, searched = sum(file.rows for file in table.files()), 0
    missing = store.superseded_keys()  # such answers have no page
    with engine.cursor() as connection:
        for sql, rows in _parts(table, column):
            cursor = connection.execute(
                f"SELECT * FROM ({sql}) WHERE contains(lower(body), lower($words)) "
                f"ORDER BY model, tier, suite, case_id, attempt",
                {"words": text},
            )
            while batch := cursor.fetchmany(50):
                yield from (_hit(row, text) for row in batch if row[0] not in missing)
            searched += rows
            yield Progress(searched, total)


def _parts(table: StoreTable, column: str) -> Iterator[tuple[str, int]]:
    """Give SQL for some rows at a time, and how many they are."""
    files = iter(table.files())
    while group := list(islice(files, FILES_AT_ONCE)):
        small = [file for file in group if file.rows <= ROWS_AT_ONCE]
        if small:
            yield _rows([file.uri for file in small], column), sum(file.rows for file in small)
        for file in (file for file in group if file.rows > ROWS_AT_ONCE):
            for start, stop in pairwise((0, *range(FIRST_ROWS, file.rows, ROWS_AT_ONCE), file.rows)):
                part = f"file_row_number >= {start} AND file_row_number < {stop}"
                yield f"{_rows([file.uri], column)} WHERE {part}", stop - start


def _rows(uris: Sequence[str], column: str) -> str:
    """Return SQL for the names and one text of the rows of some files; every version has these columns."""
    listed = ", ".join(sql_text(literal(uri)) for uri in uris)
    return (
        f"SELECT case_key, model, tier, suite, case_id, attempt, {column} AS body "
        f"FROM read_parquet([{listed}], file_row_number = true)"
    )


def _hit(row: tuple[object, ...], text: str) -> Hit:
    key, model, tier, suite, case, attempt, output = row
    result = str(output)
    index = max(result.lower().find(text.lower()), 0)
    end = index + len(text)
    return Hit(
        key=key,  # type: ignore[arg-type]  # the columns are those of the SQL
        model=str(model),
        tier=str(tier),
        suite=str(suite),
        case=str(case),
        attempt=attempt,  # type: ignore[arg-type]
        before=result[max(0, index - AROUND) : index],
        match=result[index:end],
        after=result[end : end + AROUND],
    )
