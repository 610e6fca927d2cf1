"""Look at single answers of a run: prompt, answer, and what the check saw."""

from typing import Any

from steelyard.app.eval_texts import EvalTexts, eval_texts
from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import InputError, UnknownName
from steelyard.model.evalset import FURTHER_TRY
from steelyard.model.listed_run import ShownAnswer
from steelyard.model.nearest_name import did_you_mean
from steelyard.store.database import sql_text
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.run_store import open_run as open_store

# An imported log may have outcomes without answers, and a run that goes on has answers without outcomes.
ANSWERS = """
SELECT
    coalesce(samples.model, outcomes.model) AS model, coalesce(samples.tier, outcomes.tier) AS tier,
    coalesce(samples.suite, outcomes.suite) AS suite, coalesce(samples.case_id, outcomes.case_id) AS "case",
    attempt, outcomes.classification, samples.text, outcomes.detail, samples.error
FROM (SELECT * FROM samples WHERE case_id = {case} AND {counting}) AS samples
FULL JOIN (SELECT * FROM outcomes WHERE case_id = {case} AND {counting}) AS outcomes
    USING (case_key, attempt)
ORDER BY ALL
"""


def show_answers(
    address: RunAddress, case: str, *, attempt: int | None = None, subject: str | None = None
) -> tuple[ShownAnswer, ...]:
    """Return the answers of a run to a case; `subject` is `MODEL` or `MODEL@TIER`."""
    address = address_of(address)
    store = open_store(address)
    _require_case(store, case)
    rows = query_run(address, ANSWERS.format(case=sql_text(case), counting=store.counting_sql()))
    texts = eval_texts(store.location.address)
    found = [
        ShownAnswer(
            **row, prompt=_prompt(texts, row), expected=texts.compared_with(row["suite"], row["case"])
        )
        for row in rows
    ]
    chosen = tuple(
        one
        for one in found
        if subject in {None, one.model, f"{one.model}@{one.tier}"} and attempt in {None, one.attempt}
    )
    if not chosen:
        raise InputError(f"{address}: case {case!r} has no such answer; it has {_described(found)}")
    return chosen


def _described(found: list[ShownAnswer]) -> str:
    if not found:
        return "none yet"
    attempts = f"attempts {min(one.attempt for one in found)} to {max(one.attempt for one in found)}"
    return f"{attempts} of {', '.join(dict.fromkeys(f'{one.model}@{one.tier}' for one in found))}"


def _require_case(store: RunStore, case: str) -> None:
    known = list(dict.fromkeys(one.case for one in store.manifest.cases))
    if left_out := next((one for one in store.manifest.excluded if one.case == case), None):
        raise UnknownName(
            f"{store.location.address}: case {case!r} was excluded: its reference fails: {left_out.reason}"
        )
    if case not in known:
        hint = did_you_mean(case, known, otherwise="it has")
        raise UnknownName(f"{store.location.address}: this run has no case {case!r}; {hint}")


def _prompt(texts: EvalTexts, row: dict[str, Any]) -> str | None:
    """Return what an answer was asked with; a further try was shown the one before it as well."""
    asked = texts.prompt(row["suite"], row["case"], row["tier"])
    if asked is None:
        return None
    return f"{asked}\n\n({FURTHER_TRY})" if texts.has_feedback and row["attempt"] else asked
