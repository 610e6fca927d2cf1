"""Select the answers to regrade; read and clear the staging folder of a run."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from steelyard.errors import StoreError
from steelyard.model.outcome import Classification
from steelyard.model.run import case_key
from steelyard.store.run.columns import OUTCOME_COLUMNS, OUTCOMES
from steelyard.store.run.location import Folder, Location
from steelyard.store.run.log import LOG
from steelyard.store.run.run_store import GROUP_ROWS, RunStore
from steelyard.store.run.stored_set import FILE_NAME as SET_FILE
from steelyard.store.run.table import StoreTable

FOLDER, WORK = "regrade", "work.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseForm:
    """A case whose answers are checked again: the form they were generated for, and the one it has now.

    `check_digest` names the check that is made now; with `is_every`, however an answer was checked before.
    """

    suite: str
    case: str
    before: str
    now: str
    expected: Classification = Classification.PASS
    honeypot: bool = False
    cluster: str = ""
    check_digest: str | None = None
    is_every: bool = False

    @property
    def has_moved(self) -> bool:
        """Whether the case has another digest than before."""
        return self.before != self.now


def staged_table(location: Location) -> StoreTable:
    """Return the table of the staged outcomes."""
    return StoreTable(location.child(OUTCOMES), OUTCOME_COLUMNS, group_rows=GROUP_ROWS[OUTCOMES])


def create_wanted(connection: duckdb.DuckDBPyConnection, store: RunStore, forms: Sequence[CaseForm]) -> None:
    """Create the table `wanted`: the cases that are checked again.

    A case that comes back to an earlier form may have answers there, which then count again.
    """
    connection.execute(
        "CREATE TEMP TABLE wanted "
        "(case_key BIGINT, now_key BIGINT, now_digest VARCHAR, check_digest VARCHAR, is_every BOOLEAN)"
    )
    rows = [
        (key, now, form.now, form.check_digest, form.is_every or form.has_moved)
        for form in forms
        for before, now in keys_of(store, form)
        for key in {before, now}
    ]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    types = ("BIGINT", "BIGINT", "VARCHAR", "VARCHAR", "BOOLEAN")
    unnested = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types)
    connection.execute(f"INSERT INTO wanted SELECT {unnested}", columns)


def keys_of(store: RunStore, form: CaseForm) -> list[tuple[int, int]]:
    """Return the numbers of a case, before and now, for each subject."""
    return [
        (
            case_key(subject.model, subject.tier, form.suite, form.case, form.before),
            case_key(subject.model, subject.tier, form.suite, form.case, form.now),
        )
        for subject in store.manifest.subjects
    ]


def work_at(location: Location) -> dict[str, Any]:
    """Return the state of the regrade that is staged at a location; empty if there is none."""
    text = location.read(WORK)
    if text is None:
        return {}
    try:
        parsed: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise StoreError(
            f"{location.address}/{WORK}: the file is damaged: {error}; put it back from a copy"
        ) from error
    return parsed


def clear(location: Location) -> None:
    """Remove everything, the staging marker first."""
    location.remove(WORK, SET_FILE)
    table = location.child(OUTCOMES)
    for folder in (table.child(LOG), table):
        folder.remove(*(name for name in folder.names() if name != LOG))
    if isinstance(location, Folder):
        for empty in (table.child(LOG), table, location):
            with suppress(OSError):
                Path(empty.address).rmdir()
