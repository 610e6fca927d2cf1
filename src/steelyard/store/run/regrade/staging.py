"""Keep new outcomes of old answers aside until all are there; until then the run is as it was."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace

import duckdb

from steelyard.model.evalset import EvalSet
from steelyard.model.sample import Sample
from steelyard.store.database import question
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.progress import BATCH, sample_of
from steelyard.store.run.regrade.apply import settle
from steelyard.store.run.regrade.staged import (
    FOLDER,
    WORK,
    Form,
    Regraded,
    clear,
    create_wanted,
    keys_of,
    staged_table,
    work_at,
)
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.stored_set import write_eval_set


class Staging:
    """The place beside a run where new outcomes wait; the run is held for writing."""

    def __init__(self, store: RunStore, forms: Sequence[Form], *, name: str) -> None:
        """Go on with the work of that name, or begin it anew and drop what was left of any other."""
        self._store = store
        self.forms = tuple(forms)
        self._place = store.place.child(FOLDER)
        self._name = name
        if work_at(self._place).get("name") != name:
            clear(self._place)
            staged_table(self._place).create()
            self._note(is_checked=False)
        self.table = staged_table(self._place)
        self.table.hold()
        self.table.forget("classification = 'error'")

    def view(self) -> RunStore:
        """Return the run as one that keeps its outcomes here."""
        view = RunStore(self._store.place, self._store.manifest)
        view.outcomes = self.table
        return view

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many answers of each subject are still to be checked."""
        with self._asking() as connection:
            sql = question("to_regrade", measured=frozenset())
            rows = connection.execute(
                f"SELECT model, tier, count(*) FROM ({sql.partition('ORDER BY')[0]}) GROUP BY ALL"
            ).fetchall()
        return {(model, tier): count for model, tier, count in rows}

    def samples(self) -> Iterator[Sample]:
        """Give the answers that are still to be checked, each under the form that its case has now."""
        names = [*(column.name for column in SAMPLE_COLUMNS), "now_digest"]
        with self._asking() as connection:
            result = connection.execute(question("to_regrade", measured=frozenset()))
            while batch := result.fetchmany(BATCH):
                for row in batch:
                    found = dict(zip(names, row, strict=True))
                    digest = str(found.pop("now_digest"))
                    yield replace(sample_of(found), digest=digest)

    def regraded(self) -> list[Regraded]:
        """Return how the checks ended, before and now."""
        with self._asking() as connection:
            found = connection.execute(question("regraded", measured=frozenset())).fetchall()
        return [Regraded._make(row) for row in found]

    def put_in_place(self, eval_set: EvalSet) -> None:
        """Let the new outcomes count, and the eval set that they go by."""
        write_eval_set(self._place, eval_set)
        self._note(is_checked=True)
        settle(self._store)

    def drop(self) -> None:
        """Forget what was checked: there is nothing to put in place."""
        clear(self._place)

    @contextmanager
    def _asking(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with reading(self._store.samples) as connection:
            connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(self._store.outcomes)}")
            connection.execute(f"CREATE TEMP VIEW staged AS {rows_of(self.table)}")
            create_wanted(connection, self._store, self.forms)
            yield connection

    def _note(self, *, is_checked: bool) -> None:
        content = {
            "name": self._name,
            "is_checked": is_checked,
            "forms": [asdict(form) for form in self.forms],
        }
        self._place.write(WORK, json.dumps(content, indent=2).encode() + b"\n")


def first_answers(store: RunStore, forms: Sequence[Form]) -> list[Sample]:
    """Return one answer to each case, of those that have one."""
    keys = [key for form in forms for key, _ in keys_of(store, form)]
    names = [column.name for column in SAMPLE_COLUMNS]
    with reading(store.samples) as connection:
        rows = connection.execute(question("first_answers", measured=frozenset()), {"keys": keys}).fetchall()
    return [sample_of(dict(zip(names, row, strict=True))) for row in rows]


def prompts_asked(store: RunStore) -> dict[int, set[str | None]]:
    """Return the digests of the prompts that the answers to each case were drawn with."""
    with reading(store.samples) as connection:
        rows = connection.execute(
            "SELECT DISTINCT case_key, prompt_digest FROM rows WHERE error IS NULL"
        ).fetchall()
    found: dict[int, set[str | None]] = {}
    for key, digest in rows:
        found.setdefault(key, set()).add(digest)
    return found
