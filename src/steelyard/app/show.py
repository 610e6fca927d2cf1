"""Show single answers of a run: prompt, answer and check."""

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
    answers = [
        ShownAnswer(
            **row, prompt=_prompt(texts, row), expected=texts.compared_with(row["suite"], row["case"])
        )
        for row in rows
    ]
    chosen = tuple(
        item
        for item in answers
        if subject in {None, item.model, f"{item.model}@{item.tier}"} and attempt in {None, item.attempt}
    )
    if not chosen:
        raise InputError(f"{address}: case {case!r} has no such answer; it has {_described(answers)}")
    return chosen


def _described(found: list[ShownAnswer]) -> str:
    if not found:
        return "none yet"
    attempts = (
        f"attempts {min(answer.attempt for answer in found)} to {max(answer.attempt for answer in found)}"
    )
    return f"{attempts} of {', '.join(dict.fromkeys(f'{answer.model}@{answer.tier}' for answer in found))}"


def _require_case(store: RunStore, case: str) -> None:
    known = list(dict.fromkeys(item.case for item in store.manifest.cases))
    if left_out := next(
        (excluded_case for excluded_case in store.manifest.excluded if excluded_case.case == case), None
    ):
        raise UnknownName(
            f"{store.location.address}: case {case!r} was excluded: its reference fails: {left_out.reason}"
        )
    if case not in known:
        hint = did_you_mean(case, known, otherwise="it has")
        raise UnknownName(f"{store.location.address}: this run has no case {case!r}; {hint}")


def _prompt(texts: EvalTexts, row: dict[str, Any]) -> str | None:
    """Return an answer's prompt, with a note for further tries."""
    prompt = texts.prompt(row["suite"], row["case"], row["tier"])
    if prompt is None:
        return None
    return f"{prompt}\n\n({FURTHER_TRY})" if texts.has_feedback and row["attempt"] else prompt
