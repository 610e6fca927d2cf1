"""Look at single answers of a run: prompt, answer, and what the check saw."""

from difflib import get_close_matches
from pathlib import Path

from steelyard.errors import InputError, UnknownName
from steelyard.model.listed_run import ShownAnswer
from steelyard.store.database import sql_text
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.run_store import open_run as open_store
from steelyard.store.run.stored_set import has_stored_set, read_stored_set

ANSWERS = """
SELECT
    samples.model, samples.tier, samples.suite, samples.case_id AS "case", samples.attempt,
    outcomes.classification, samples.text, outcomes.detail, samples.error
FROM samples
LEFT JOIN outcomes USING (case_key, attempt)
WHERE samples.case_id = {case} {and_attempt}
ORDER BY samples.model, samples.tier, samples.suite, samples.attempt
"""


def show_answers(
    address: str | Path, case: str, *, attempt: int | None = None, subject: str | None = None
) -> tuple[ShownAnswer, ...]:
    """Return the answers of a run to a case; `subject` is `MODEL` or `MODEL@TIER`."""
    store = open_store(address)
    _require_case(store, case)
    and_attempt = "" if attempt is None else f"AND samples.attempt = {attempt:d}"
    rows = query_run(address, ANSWERS.format(case=sql_text(case), and_attempt=and_attempt))
    prompts = _prompts(store)
    found = [ShownAnswer(**row, prompt=prompts.get((row["suite"], row["case"]))) for row in rows]
    chosen = tuple(
        one for one in found if subject is None or subject in {one.model, f"{one.model}@{one.tier}"}
    )
    if not chosen:
        raise InputError(f"{address}: case {case!r} has no such answer; it has {_described(found)}")
    return chosen


def _described(found: list[ShownAnswer]) -> str:
    if not found:
        return "none of that attempt"
    attempts = f"attempts {min(one.attempt for one in found)} to {max(one.attempt for one in found)}"
    return f"{attempts} of {', '.join(dict.fromkeys(f'{one.model}@{one.tier}' for one in found))}"


def _require_case(store: RunStore, case: str) -> None:
    known = list(dict.fromkeys(one.case for one in store.manifest.cases))
    if case not in known:
        near = get_close_matches(case, known, n=1)
        hint = f"is it {near[0]}?" if near else f"it has {', '.join(known[:10])}"
        raise UnknownName(f"{store.location.address}: this run has no case {case!r}; {hint}")


def _prompts(store: RunStore) -> dict[tuple[str, str], str]:
    if not has_stored_set(store.location.address):
        return {}
    return {(case.suite, case.id): case.prompt for case in read_stored_set(store.location).cases}
