"""Keep a small table of case states in memory, so that pages of any run are read from it.

One row for each planned case of each subject. A file of outcomes is counted once; later files are added.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import duckdb
from arro3.core import Table

from steelyard.model.run import Manifest
from steelyard.store.database import connect, load_sql
from steelyard.store.run.files import RunReader, reading, rows_sql
from steelyard.store.run.progress import CaseName, planned_cases
from steelyard.store.run.run_store import RunStore

MEMORY = "512MB"
Names = Mapping[int, CaseName]
Tags = Mapping[tuple[str, str], tuple[str, ...]]  # by suite and case


@dataclass(slots=True)
class _Counted:
    """Which files were counted, and what the run's plan was."""

    files: frozenset[str] = frozenset()
    generated: frozenset[str] = frozenset()  # files of samples, where a stop rule decides how many there are
    plan: Manifest | None = None


class StateTable:
    """The states of all cases of a run, in a database in memory."""

    def __init__(self) -> None:
        self._connection = connect()
        self._connection.execute(f"SET memory_limit = '{MEMORY}'")
        self._connection.execute("CREATE TABLE generated (case_key BIGINT, answers BIGINT)")
        self._counted = _Counted()
        self._lock = Lock()
        self.hidden = 0

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of one request; the table is called `cases`."""
        return self._connection.cursor()

    def close(self) -> None:
        """Free the memory."""
        self._connection.close()

    def update(self, engine: RunReader, store: RunStore, tags: Callable[[], Tags]) -> None:
        """Count the files that came since the last call; count all again if one of them is gone."""
        with self._lock:
            files = frozenset(file.uri for file in store.outcomes.files())
            is_new = not self._counted.files <= files
            plan = store.manifest
            generated = frozenset(file.uri for file in store.samples.files() if plan.stop_rule)
            if _Counted(files, generated, plan) == self._counted:
                return
            # Before rows are added: after a failure, none is counted twice.
            named = tags() if plan != self._counted.plan else {}
            with ThreadPoolExecutor(max_workers=1) as aside:
                # Keys are computed while the engine counts.
                naming = aside.submit(self._names, plan)
                self._count(engine, store, files if is_new else files - self._counted.files, replace=is_new)
            self._counted = _Counted(files, self._counted.generated, self._counted.plan)
            if plan != self._counted.plan:
                self._name(plan, naming.result(), named)
            if generated != self._counted.generated:
                self._count_generated(engine, store)
            self._connection.execute(load_sql("view_cases"))
            self._counted = _Counted(files, generated, plan)

    def _count(self, engine: RunReader, store: RunStore, uris: frozenset[str], *, replace: bool) -> None:
        """Add the counts of some files to the table `counted`."""
        table = store.outcomes
        is_first = replace or not self._counted.files
        if not uris and not is_first:
            return
        with engine.cursor() as reader:
            rows = rows_sql(sorted(uris), table.columns, table.present())
            reader.execute(f"CREATE TEMP VIEW rows AS {rows}")
            self._connection.register("added", Table.from_arrow(reader.sql(load_sql("view_counted"))))
        into = "CREATE OR REPLACE TABLE counted AS" if is_first else "INSERT INTO counted"
        self._connection.execute(f"{into} SELECT * FROM added")
        self._connection.unregister("added")

    def _count_generated(self, engine: RunReader, store: RunStore) -> None:
        """Count the answers of each case; a call that failed is made again, and counts then."""
        answers = "SELECT case_key, count(*) AS answers FROM rows WHERE error IS NULL GROUP BY case_key"
        with reading(store.samples, reader=engine) as reader:
            self._connection.register("added", Table.from_arrow(reader.sql(answers)))
        self._connection.execute("CREATE OR REPLACE TABLE generated AS SELECT * FROM added")
        self._connection.unregister("added")

    def _names(self, manifest: Manifest) -> Names:
        """Return what each case key stands for; a form that no longer counts is left out."""
        if manifest == self._counted.plan:
            return {}
        return planned_cases(manifest, manifest.current_cases())

    def _name(self, manifest: Manifest, names: Names, tags: Tags) -> None:
        """Write who and what each case key stands for."""
        self.hidden = len(manifest.cases) * len(manifest.subjects) - len(names)
        cases, pots = [(name[2], name[3]) for name in names.values()], manifest.honeypots()
        planned = {
            (subject.model, subject.tier): None
            if manifest.stop_rule
            else manifest.samples_of(subject.model, subject.tier)
            for subject in manifest.subjects
        }
        columns = [list(column) for column in zip(*names.values(), strict=True)] or [[]] * 5
        self._connection.execute(
            "CREATE OR REPLACE TABLE names AS SELECT unnest(CAST(? AS BIGINT[])) AS case_key, "
            "unnest(CAST(? AS VARCHAR[])) AS model, unnest(CAST(? AS VARCHAR[])) AS tier, "
            "unnest(CAST(? AS VARCHAR[])) AS suite, unnest(CAST(? AS VARCHAR[])) AS case_id, "
            "unnest(CAST(? AS VARCHAR[])) AS case_digest, unnest(CAST(? AS VARCHAR[][])) AS tags, "
            "unnest(CAST(? AS BOOLEAN[])) AS honeypot, unnest(CAST(? AS HUGEINT[])) AS planned",
            [
                list(names),
                *columns,
                [list(tags.get(case, ())) for case in cases],
                [case in pots for case in cases],
                [planned[name[0], name[1]] for name in names.values()],
            ],
        )
