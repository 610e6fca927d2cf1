"""Stage new outcomes of stored answers; the run is unchanged until all are checked."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace

import duckdb

from steelyard.model.evalset import EvalSet
from steelyard.model.regrade import Regraded
from steelyard.model.sample import Sample
from steelyard.store.database import load_sql
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.progress import BATCH, sample_of
from steelyard.store.run.regrade.apply import apply_regrade
from steelyard.store.run.regrade.staged import (
    FOLDER,
    WORK,
    CaseForm,
    clear,
    create_wanted,
    keys_of,
    staged_table,
    work_at,
)
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.stored_set import write_eval_set

UNRATED = "(judgement IS NOT NULL AND impl_micro IS NULL)"


class Staging:
    """The folder beside a held run where new outcomes are staged."""

    def __init__(
        self, store: RunStore, forms: Sequence[CaseForm], *, name: str, keeps_unrated: bool = False
    ) -> None:
        """Continue the regrade of that name, or begin it and drop what is left of any other.

        What broke is checked again, and so is what judges left without a rating, unless `keeps_unrated`.
        """
        self._store = store
        self.forms = tuple(forms)
        self._location = store.location.child(FOLDER)
        self._name = name
        if work_at(self._location).get("name") != name:
            clear(self._location)
            staged_table(self._location).create()
            self._note(is_checked=False)
        self.table = staged_table(self._location)
        self.table.hold()
        self.table.forget(
            "classification = 'error'" if keeps_unrated else f"classification = 'error' OR {UNRATED}"
        )

    def view(self) -> RunStore:
        """Return the run as one that keeps its outcomes here."""
        view = RunStore(self._store.location, self._store.manifest)
        view.outcomes = self.table
        return view

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many answers of each subject are still to be checked."""
        with self._query() as connection:
            sql = load_sql("to_regrade")
            rows = connection.execute(
                f"SELECT model, tier, count(*) FROM ({sql.partition('ORDER BY')[0]}) GROUP BY ALL"
            ).fetchall()
        return {(model, tier): count for model, tier, count in rows}

    def samples(self) -> Iterator[Sample]:
        """Yield the unchecked answers, each with the current form of its case."""
        names = [*(column.name for column in SAMPLE_COLUMNS), "now_digest"]
        with self._query() as connection:
            cursor = connection.execute(load_sql("to_regrade"))
            while batch := cursor.fetchmany(BATCH):
                for row in batch:
                    results = dict(zip(names, row, strict=True))
                    digest = str(results.pop("now_digest"))
                    yield replace(sample_of(results), digest=digest)

    def regraded(self) -> list[Regraded]:
        """Return how the checks ended, before and now."""
        with self._query() as connection:
            rows = connection.execute(load_sql("regraded")).fetchall()
        return [Regraded._make(row) for row in rows]

    def apply(self, eval_set: EvalSet) -> None:
        """Replace the run's outcomes and eval set by the staged ones."""
        write_eval_set(self._location, eval_set)
        self._note(is_checked=True)
        apply_regrade(self._store)

    def drop(self) -> None:
        """Drop the staged outcomes."""
        clear(self._location)

    @contextmanager
    def _query(self) -> Iterator[duckdb.DuckDBPyConnection]:
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
        self._location.write(WORK, json.dumps(content, indent=2).encode() + b"\n")


def first_answers(store: RunStore, forms: Sequence[CaseForm]) -> list[Sample]:
    """Return one answer to each case, of those that have one."""
    keys = [key for form in forms for key, _ in keys_of(store, form)]
    names = [column.name for column in SAMPLE_COLUMNS]
    with reading(store.samples) as connection:
        rows = connection.execute(load_sql("first_answers"), {"keys": keys}).fetchall()
    return [sample_of(dict(zip(names, row, strict=True))) for row in rows]


def stored_prompts(store: RunStore, *, has_feedback: bool = False) -> dict[int, set[str | None]]:
    """Return the digests of the prompts that the answers to each case were generated with.

    With feedback, the prompt of a further try repeats the first one and what became of it: the first decides.
    """
    only = "AND attempt = 0" if has_feedback else ""
    with reading(store.samples) as connection:
        rows = connection.execute(
            f"SELECT DISTINCT case_key, prompt_digest FROM rows WHERE error IS NULL {only}"
        ).fetchall()
    prompts: dict[int, set[str | None]] = {}
    for key, digest in rows:
        prompts.setdefault(key, set()).add(digest)
    return prompts
