"""Replace the outcomes of answers that were checked again.

Each step can be repeated: the next writer of the run finishes an interrupted regrade. Readers see for each
case either the old outcomes or the new ones, at any moment.
"""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.model.outcome import Classification
from steelyard.model.run import RunCase
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.progress import places_of
from steelyard.store.run.regrade.staged import (
    FOLDER,
    CaseForm,
    clear,
    create_wanted,
    keys_of,
    staged_table,
    work_at,
)
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from steelyard.store.run.table import StoreTable
from steelyard.store.run.viewing.marks import add_missing_marks, read_marks


def apply_regrade(store: RunStore) -> bool:
    """Apply the staged outcomes if all are checked; requires the held run."""
    location = store.location.child(FOLDER)
    work = work_at(location)
    if not work.get("is_checked"):
        return False
    forms = [CaseForm(**{**form, "expected": Classification(form["expected"])}) for form in work["forms"]]
    moved = [form for form in forms if form.has_moved]
    now = [
        RunCase(
            suite=case_form.suite,
            case=case_form.case,
            digest=case_form.now,
            expected=case_form.expected,
            honeypot=case_form.honeypot,
            cluster=case_form.cluster,
        )
        for case_form in moved
    ]
    store.introduce(now)
    _replace_outcomes(store, staged_table(location))
    if moved:
        _move_samples(store, moved)
    eval_set = read_stored_set(location)
    write_eval_set(store.location, eval_set)
    store.extend(cases=now, eval_set=eval_set)
    if moved:
        _drop_outcomes(store, moved)
        _repeat_marks(store, moved)
    clear(location)
    return True


def apply_pending_regrade(store: RunStore) -> RunStore:
    """Finish an interrupted regrade, if there is one, and return the run."""
    if work_at(store.location.child(FOLDER)).get("is_checked"):
        apply_regrade(store.hold())
    return store


def _replace_outcomes(store: RunStore, staged: StoreTable) -> None:
    """Replace the outcomes of the same answers and forms in one commit."""
    with reading(store.outcomes) as connection:
        connection.execute(f"CREATE TEMP VIEW staged AS {rows_of(staged)}")
        store.outcomes.replace_all(
            connection.sql(
                "SELECT * FROM rows ANTI JOIN staged USING (case_key, attempt) "
                "UNION ALL BY NAME SELECT * FROM staged"
            ),
            is_new_era=True,
        )


def _move_samples(store: RunStore, forms: Sequence[CaseForm]) -> None:
    """Move answers to the current form of their case, unless the attempt exists there."""
    listed = ", ".join(
        column.name for column in SAMPLE_COLUMNS if column.name not in {"case_key", "case_digest"}
    )
    with reading(store.samples) as connection:
        create_wanted(connection, store, forms)
        sql = f"""
            SELECT
                {listed},
                CASE WHEN is_free THEN now_digest ELSE case_digest END AS case_digest,
                CASE WHEN is_free THEN now_key ELSE case_key END AS case_key
            FROM (
                SELECT rows.*, wanted.now_key, wanted.now_digest,
                    wanted.now_key IS NOT NULL AND taken.case_key IS NULL AS is_free
                FROM rows
                LEFT JOIN wanted ON rows.case_key = wanted.case_key
                LEFT JOIN rows AS taken
                    ON wanted.now_key = taken.case_key AND rows.attempt = taken.attempt
            )"""
        ordered = ", ".join(column.name for column in SAMPLE_COLUMNS)
        store.samples.replace_all(connection.sql(f"SELECT {ordered} FROM ({sql})"), is_new_era=True)


def _repeat_marks(store: RunStore, forms: Sequence[CaseForm]) -> None:
    """Copy the marks of moved answers; those on earlier forms stay but are not shown."""
    address = store.location.address
    moved = dict(keys for form in forms for keys in keys_of(store, form))
    stayed = places_of(store.samples, moved)
    marked = [mark for mark in read_marks(address) if mark.key in moved]
    add_missing_marks(
        address,
        (replace(mark, key=moved[mark.key]) for mark in marked if (mark.key, mark.attempt) not in stayed),
    )


def _drop_outcomes(store: RunStore, forms: Sequence[CaseForm]) -> None:
    """Take out the outcomes of the forms that no longer count."""
    with reading(store.outcomes) as connection:
        create_wanted(connection, store, forms)
        store.outcomes.replace_all(
            connection.sql(
                "SELECT rows.* FROM rows "
                "ANTI JOIN (SELECT case_key FROM wanted WHERE case_key <> now_key) USING (case_key)"
            ),
            is_new_era=True,
        )
