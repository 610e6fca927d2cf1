"""Select single answers of a run, or the answers of two runs to one case."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.app.eval_texts import EvalTexts, eval_texts
from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.model.evalset import FURTHER_TRY
from steelyard.model.listed_run import ShownAnswer
from steelyard.model.nearest_name import did_you_mean
from steelyard.store.database import sql_text
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.run_store import open_run as open_store

# An imported log may have outcomes without answers, and a running run has answers without outcomes.
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
    """Return the answers of a run to a case.

    Args:
        address: The run.
        case: The id of the case.
        attempt: Only this attempt, from 0.
        subject: Only this subject: `MODEL` or `MODEL@TIER`.

    Raises:
        UnknownName: The run has no such case.
        InputError: The case has no such answer.
    """
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
        answer
        for answer in answers
        if subject in {None, answer.model, f"{answer.model}@{answer.tier}"}
        and attempt in {None, answer.attempt}
    )
    if not chosen:
        raise InputError(f"{address}: case {case!r} has no such answer; it has {_describe_answers(answers)}")
    return chosen


def _describe_answers(answers: list[ShownAnswer]) -> str:
    if not answers:
        return "none yet"
    attempts = [answer.attempt for answer in answers]
    subjects = ", ".join(dict.fromkeys(f"{answer.model}@{answer.tier}" for answer in answers))
    return f"attempts {min(attempts)} to {max(attempts)} of {subjects}"


def _require_case(store: RunStore, case: str) -> None:
    known = list(dict.fromkeys(manifest_case.case for manifest_case in store.manifest.cases))
    for excluded in store.manifest.excluded:
        if excluded.case == case:
            reason = f"case {case!r} was excluded: its reference fails: {excluded.reason}"
            raise UnknownName(f"{store.location.address}: {reason}")
    if case not in known:
        hint = did_you_mean(case, known, otherwise="it has")
        raise UnknownName(f"{store.location.address}: this run has no case {case!r}; {hint}")


def _prompt(texts: EvalTexts, row: dict[str, Any]) -> str | None:
    """Return an answer's prompt, with a note for further tries."""
    prompt = texts.prompt(row["suite"], row["case"], row["tier"])
    if prompt is None:
        return None
    return f"{prompt}\n\n({FURTHER_TRY})" if texts.has_feedback and row["attempt"] else prompt


def diff_answers(
    first: RunAddress,
    second: RunAddress,
    case: str,
    *,
    attempt: int | None = None,
    subject: str | None = None,
) -> tuple[ShownAnswer, ShownAnswer]:
    """Return one answer of each run to a case, by the same subject and attempt.

    Subjects of different names are paired if each run has only one.

    Args:
        first: A run.
        second: Another run.
        case: The id of the case.
        attempt: The attempt, from 0. Default: the first with different results, else the first.
        subject: Only this subject: `MODEL` or `MODEL@TIER`.

    Raises:
        UserError: The runs have no such pair of answers.
    """
    before = show_answers(first, case, attempt=attempt, subject=subject)
    after = show_answers(second, case, attempt=attempt, subject=subject)
    pairs = _pair_answers(before, after, _subject_and_attempt)
    if not pairs and _count_subjects(before) == _count_subjects(after) == 1:
        pairs = _pair_answers(before, after, _attempt)
    if not pairs:
        raise UserError(
            f"the two runs share no answer to {case} by the same model, tier and attempt; name one of them"
        )
    differing = (pair for pair in pairs if pair[0].classification != pair[1].classification)
    return next(differing, pairs[0])


def _count_subjects(answers: Sequence[ShownAnswer]) -> int:
    return len({(answer.model, answer.tier) for answer in answers})


def _pair_answers(
    before: Sequence[ShownAnswer], after: Sequence[ShownAnswer], key: Callable[[ShownAnswer], object]
) -> list[tuple[ShownAnswer, ShownAnswer]]:
    by_key = {key(answer): answer for answer in before}
    return [(by_key[key(answer)], answer) for answer in after if key(answer) in by_key]


def _subject_and_attempt(answer: ShownAnswer) -> object:
    return answer.model, answer.tier, answer.suite, answer.attempt


def _attempt(answer: ShownAnswer) -> object:
    return answer.suite, answer.attempt
