"""Read a run as the rows that a log of another tool has: outcomes, answers and prompts together."""

from pathlib import Path

from steelyard.model.log import ExportedRun, LogRow
from steelyard.model.outcome import Classification
from steelyard.model.run import Manifest
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.store.database import load_sql
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.run_store import RunStore, no_outcomes, open_run, retry_on_conflict
from steelyard.store.run.stored_set import has_stored_set, read_stored_set

Row = dict[str, object]


def exported_run(address: str | Path, *, threads: int | None = None) -> ExportedRun:
    """Return all rows of a run, sorted by subject, case and attempt."""
    return retry_on_conflict(open_run(address), lambda store: _exported(store, threads))


def _exported(store: RunStore, threads: int | None) -> ExportedRun:
    prompts: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    if has_stored_set(store.location.address):
        for case in read_stored_set(store.location).cases:
            target = case.expectations.settings.get("target") or case.reference
            prompts[case.suite, case.id] = case.prompt or None, target
    forms, names_kinds = store.manifest.current_cases(), store.manifest.names_refusals
    with reading(store.samples, threads=threads) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes)}")
        cursor = connection.execute(load_sql("log_rows"))
        names = [column[0] for column in cursor.description or ()]
        result = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    # A changed case has rows of older forms too; only the latest counts.
    latest = {(case.suite, case.case, case.digest): case for case in forms}
    known = [(latest.get((row["suite"], row["case_id"], row["case_digest"])), row) for row in result]
    current = [row for case, row in known if case is not None and not case.honeypot]
    if not current:
        raise no_outcomes(store)
    return ExportedRun(
        id=store.manifest.id,
        created_at=store.manifest.created_at,
        generator=store.manifest.generator,
        rows=tuple(
            _row(row, *prompts.get((row["suite"], row["case_id"]), (None, None)), names_kinds=names_kinds)
            for row in current
        ),
        cases=tuple((case.suite, case.case) for case in forms if not case.honeypot),
        planned=_planned(store.manifest),
        honeypots=sum(case is not None and case.honeypot for case, _ in known),
    )


def _planned(manifest: Manifest) -> dict[tuple[str, str], int]:
    """Return how many samples of each case a subject should have, if that is known."""
    if not manifest.has_fixed_plan:
        return {}
    return {
        (subject.model, subject.tier): manifest.samples_of(subject.model, subject.tier)
        for subject in manifest.subjects
    }


def _kind(kind: Classification, *, names_kinds: bool) -> Classification | None:
    """Return the classification of a sample, None if the import derived it."""
    return kind if names_kinds or kind not in {Classification.PASS, Classification.FAIL} else None


def _row(row: Row, prompt: str | None, target: str | None, *, names_kinds: bool) -> LogRow:
    contents = {name: row[name] for name in ("model", "tier", "suite", "attempt", "passed", "finish_reason")}
    counts = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "tests_passed", "tests_failed")
    return LogRow(
        **contents,  # type: ignore[arg-type]  # columns of the table, which have these types
        **{name: row[name] for name in counts},  # type: ignore[arg-type]  # as above
        case=str(row["case_id"]),
        classification=_kind(Classification(str(row["classification"])), names_kinds=names_kinds),
        score=_divided(row["score_micro"], MICRO_POINTS),
        error=(str(row["error"] or row["detail"] or "error") if row["passed"] is None else None),
        cost_usd=_divided(row["cost_nano_usd"], NANO_USD),
        latency_s=_divided(row["latency_us"], MICROSECONDS),
        prompt=prompt,
        target=target,
        answer=None if row["error"] or row["text"] is None else str(row["text"]),
        output=str(row["detail"]),
    )


def _divided(value: object, scale: int) -> float | None:
    return value / scale if isinstance(value, int) else None
