"""Find samples by the name of a test that failed, in what the store keeps of their checks' output.

Checkers write one line for a failed test, `NAME: what was wrong`; no column holds the names alone. A name is
compared whole and as text. What an excerpt of the output leaves out is not found.
"""

from collections.abc import Iterator, Sequence
from threading import Lock

from steelyard.model.viewing import CaseRow, FailedTest, FailedTests
from steelyard.store.database import load_sql
from steelyard.store.run.files import RunReader, rows_of, rows_sql
from steelyard.store.run.listing import DataFile
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.viewing.case_table import StateTable
from steelyard.store.run.viewing.search import Progress

LONGEST_NAME = 1_000  # characters; a longer one is a message
CANDIDATES = 200  # names of one case
NAMES_KEPT = 16  # most recently requested ones
ROWS_AT_ONCE = 200_000  # between two reports of progress
# Marks of an incomplete list of failed tests: the end of an excerpt or of a list.
CUT = r" …$|(^|\n)and \d+ more calls(\n|$)"


def failed_line(name: str) -> str:
    r"""Return how the line of a failed test begins, with the end of the line before it.

    >>> failed_line("test_add")
    '\ntest_add: '
    """
    return f"\n{name}: "


class FailedCases:
    """The cases in which tests failed that a filter names, in the table `failed_cases` beside `cases`.

    A file of outcomes is read once for a name; later files are added.
    """

    def __init__(self, table: StateTable) -> None:
        self._table = table
        self._lock = Lock()
        self._read: dict[
            str, frozenset[str]
        ] = {}  # the files that were read for a name, the latest name last
        with table.cursor() as cursor:
            cursor.execute("CREATE TABLE IF NOT EXISTS failed_cases (test VARCHAR, case_key BIGINT)")

    def look(self, engine: RunReader, store: RunStore, name: str) -> Iterator[Progress]:
        """Read what has not been read for a name, giving the progress; closing the generator stops it.

        What was read until then is kept: the next look goes on from there.
        """
        files = store.outcomes.files()
        known = self._begin(name, frozenset(file.uri for file in files))
        remaining = [file for file in files if file.uri not in known]
        total = sum(file.rows for file in files)
        searched = total - sum(file.rows for file in remaining)
        for group in _groups(remaining):
            self._add(name, group, _keys(engine, store, group, name))
            searched += sum(file.rows for file in group)
            yield Progress(searched, total)

    def _begin(self, name: str, files: frozenset[str]) -> frozenset[str]:
        """Return the files that need not be read again; forget a name whose files are gone, and old names."""
        with self._lock, self._table.cursor() as cursor:
            known = self._read.pop(name, frozenset())
            forgotten = [] if known <= files else [name]
            self._read[name] = known if known <= files else frozenset()
            while len(self._read) > NAMES_KEPT:
                oldest = next(iter(self._read))
                del self._read[oldest]
                forgotten.append(oldest)
            for old in forgotten:
                cursor.execute("DELETE FROM failed_cases WHERE test = ?", [old])
            return self._read[name]

    def _add(self, name: str, group: Sequence[DataFile], keys: list[int]) -> None:
        with self._lock, self._table.cursor() as cursor:
            if name not in self._read:
                return  # evicted by other requests
            cursor.execute(
                "INSERT INTO failed_cases SELECT ?, unnest(CAST(? AS BIGINT[]))",
                [name, keys],
            )
            self._read[name] |= {file.uri for file in group}


def failed_tests(engine: RunReader, store: RunStore, row: CaseRow) -> FailedTests:
    """Return the names that may be those of failed tests of a case, the most frequent first."""
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes, row.holding)}")
        named = connection.execute(
            load_sql("view_failed_tests"), {"key": row.key, "longest": LONGEST_NAME, "most": CANDIDATES}
        ).fetchall()
        sums = connection.execute(
            "SELECT count(*), count_if(regexp_matches(detail, ?)) "
            "FROM outcomes WHERE case_key = ? AND tests_failed > 0",
            [CUT, row.key],
        ).fetchone()
    samples, cut = sums or (0, 0)
    return FailedTests(tests=tuple(FailedTest(*result) for result in named), samples=samples, cut=cut)


def _groups(files: Sequence[DataFile]) -> Iterator[list[DataFile]]:
    """Give files in groups of about so many rows as are read at once."""
    group: list[DataFile] = []
    for file in files:
        group.append(file)
        if sum(item.rows for item in group) >= ROWS_AT_ONCE:
            yield group
            group = []
    if group:
        yield group


def _keys(engine: RunReader, store: RunStore, group: Sequence[DataFile], name: str) -> list[int]:
    table = store.outcomes
    rows = rows_sql([file.uri for file in group], table.columns, table.present())
    with engine.cursor() as connection:
        result = connection.execute(
            f"SELECT DISTINCT case_key FROM ({rows}) "
            f"WHERE tests_failed > 0 AND contains(chr(10) || detail, $line)",
            {"line": failed_line(name)},
        ).fetchall()
    return [key for (key,) in result]
