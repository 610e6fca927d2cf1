"""What was counted about cases, and how parts add up."""

import pytest

from steelyard.model.outcome import Classification
from steelyard.model.state import CaseKey, CaseState, Quantity, SubjectKey, total

STATE = CaseState(
    "m", "T0", "s", "c", "d", n=5, c=2, n_error=1, n_timeout=1, n_refusal=1, score_sum=7, score_n=5
)


def test_a_state_knows_who_answered_what() -> None:
    assert STATE.key == CaseKey("m", "T0", "s", "c")
    assert STATE.subject == SubjectKey("m", "T0")


def test_a_case_is_missing_only_if_not_even_an_error_was_generated() -> None:
    empty = CaseState("m", "T0", "s", "c")

    assert empty.is_missing
    assert not empty._replace(n_error=1).is_missing
    assert not STATE.is_missing


def test_failures_without_a_kind_of_their_own_are_plain() -> None:
    failures = STATE.failures()

    assert failures[Classification.TIMEOUT] == failures[Classification.REFUSAL] == 1
    assert failures[Classification.FAIL] == 1
    assert sum(failures.values()) == STATE.n - STATE.c


def test_parts_of_a_case_add_up() -> None:
    merged = STATE.merged(STATE)

    assert merged.key == STATE.key
    assert (merged.digest, merged.n, merged.c, merged.score_sum) == ("d", 10, 4, 14)


@pytest.mark.parametrize("other", [STATE._replace(case="x"), STATE._replace(digest="x")])
def test_parts_of_different_cases_do_not(other: CaseState) -> None:
    with pytest.raises(ValueError, match="counts"):
        STATE.merged(other)


def test_a_total_adds_up_any_cases_and_has_no_names() -> None:
    found = total([STATE, STATE._replace(case="x", n=1, c=0)])

    assert found.key == CaseKey("", "", "", "")
    assert (found.digest, found.n, found.c, found.n_error) == (None, 6, 2, 2)


def test_a_total_of_nothing_is_nothing() -> None:
    assert total([]) == CaseState("", "", "", "")


def test_every_quantity_has_a_unit() -> None:
    assert {quantity: quantity.unit for quantity in Quantity} == {
        Quantity.SCORE: 10**6,
        Quantity.IMPL_RATE: 10**6,
        Quantity.COST: 10**9,
        Quantity.LATENCY: 10**6,
    }
