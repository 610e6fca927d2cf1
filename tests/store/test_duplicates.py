"""Finding attempts that were claimed twice."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import InputError
from steelyard.model.options import Duplicates
from steelyard.model.state import SubjectKey
from steelyard.store.database import connect
from steelyard.store.duplicates import Attempts, are_distinct, range_marks
from tests.store.counting import HEADER, by_case, counted, written


def seen(numbers: list[int]) -> Attempts:
    """Return what the group-by would see of some attempt numbers."""
    with connect() as connection:
        marks = range_marks(connection)
        mark = 0
        for number in numbers:
            mark ^= marks(number, number)
    return Attempts(
        rows=len(numbers),
        numbered=len(numbers),
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
        mark=mark,
    )


def proved(attempts: Attempts) -> bool:
    """Return whether the attempts are provably all different."""
    with connect() as connection:
        return are_distinct(attempts, range_marks(connection))


@pytest.mark.parametrize("numbers", [[0], [0, 1, 2], [7, 5, 6], [-1, 0, 1]])
def test_a_gapless_run_of_attempts_is_proved_distinct(numbers: list[int]) -> None:
    assert proved(seen(numbers))


@pytest.mark.parametrize("numbers", [[0, 0], [0, 2], [0, 0, 2], [0, 1, 1, 3], []])
def test_repeats_gaps_and_nothing_at_all_are_looked_at(numbers: list[int]) -> None:
    assert not proved(seen(numbers))


def test_attempts_of_which_some_are_names_are_looked_at() -> None:
    assert not proved(Attempts(rows=2, numbered=1, lowest=0, highest=0, mark=0))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=7))
def test_what_is_proved_distinct_is_distinct(numbers: list[int]) -> None:
    if len(set(numbers)) < len(numbers):
        assert not proved(seen(numbers))


def test_marks_of_ranges_are_remembered() -> None:
    with connect() as connection:
        marks = range_marks(connection)
        first = marks(0, 9)
    # The connection is closed; only what is remembered can answer now.

    assert marks(0, 9) == first


def test_equal_copies_are_dropped_for_each_subject(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\na,c,0,True\na,c,0,True\nb,c,0,True\nb,c,0,True\n")

    evidence = counted(path)

    assert evidence.dropped_duplicates == {SubjectKey("a", "T0"): 2, SubjectKey("b", "T0"): 1}
    assert [state.n for state in evidence.states] == [1, 1]


def test_attempts_with_gaps_but_no_copies_are_all_kept(tmp_path: Path) -> None:
    evidence = counted(written(tmp_path, HEADER + "a,c,3,True\na,c,9,False\na,c,x,True\n"))

    assert evidence.dropped_duplicates == {}
    assert by_case(evidence)["c"].n == 3


@pytest.mark.parametrize(("first", "second"), [("1", "01"), ("7", " 7"), ("x", "x")])
def test_one_attempt_in_two_spellings_is_one_attempt(tmp_path: Path, first: str, second: str) -> None:
    evidence = counted(written(tmp_path, f"{HEADER}a,c,{first},True\na,c,{second},True\n"))

    assert by_case(evidence)["c"].n == 1


@pytest.mark.parametrize(
    ("first", "second"), [("1.1", "1.2"), ("1", "1.4"), ("1e1", "10"), ("0x1", "1"), ("a", "A")]
)
def test_names_that_only_look_like_one_number_are_two_attempts(
    tmp_path: Path, first: str, second: str
) -> None:
    evidence = counted(written(tmp_path, f"{HEADER}a,c,{first},True\na,c,{second},False\n"))

    assert by_case(evidence)["c"].n == 2


def test_a_conflict_names_up_to_four_rows_in_their_files(tmp_path: Path) -> None:
    one = written(tmp_path, HEADER + "a,x,0,True\na,c,0,True\n", "one.csv")
    two = written(tmp_path, HEADER + "a,c,0,False\n", "two.csv")

    with pytest.raises(InputError, match=r"one\.csv.*two\.csv, row 1.*'c'"):
        counted(one, two)


@pytest.mark.parametrize(("policy", "passed"), [(Duplicates.FIRST, 1), (Duplicates.LAST, 0)])
def test_first_and_last_follow_the_order_of_files_and_rows(
    tmp_path: Path, policy: Duplicates, passed: int
) -> None:
    one = written(tmp_path, HEADER + "a,c,0,True\n", "one.csv")
    two = written(tmp_path, HEADER + "a,c,0,False\n", "two.csv")

    evidence = counted(two, one, duplicates=policy)

    assert by_case(evidence)["c"].c == passed
    assert evidence.dropped_duplicates == {SubjectKey("a", "T0"): 1}


def test_rows_without_any_content_but_their_names_are_equal(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,passed,prompt\na,c,0,True,p\na,c,0,True,q\n")

    assert counted(path).dropped_duplicates == {SubjectKey("a", "T0"): 1}
