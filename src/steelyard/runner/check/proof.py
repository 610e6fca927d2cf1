"""Decide whether a broken check is an infrastructure error or the answer's failure.

An answer must not escape its score by breaking its check, so an infrastructure error needs proof: the check
of a known answer breaks as well. Otherwise the answer is checked once more.
"""

from collections.abc import Callable
from dataclasses import replace

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.known_answers import known_answer
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome

OWN_DOING = "this answer broke its check twice; the check of a known answer works:"


def proven(
    case: Case, answer: str, check: Callable[[str], Outcome], check_known: Callable[[str], Outcome]
) -> Outcome:
    """Return the outcome of an answer; an infrastructure error only if a known answer has one too.

    `check_known` must not be cached: only a real run shows the state of the machine.
    """
    outcome = check(answer)
    if not _is_error(outcome):
        return outcome
    known = check_known(known_answer(case))
    if _is_error(known):
        return outcome
    again = check(answer)
    return _failed(again, known) if _is_error(again) else again


def _is_error(outcome: Outcome) -> bool:
    return outcome.facts.classification is Classification.ERROR


def _failed(outcome: Outcome, known: Outcome) -> Outcome:
    """Return a failure instead of the error, graded like the known answer."""
    return replace(
        outcome,
        check_digest=known.check_digest,
        integrity=known.integrity,
        facts=Facts(classification=Classification.CRASH, passed=False),
        detail=excerpt(f"{OWN_DOING}\n{outcome.detail}"),
        broke_its_check=True,
    )
