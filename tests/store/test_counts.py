"""Rows about several samples: of n samples of a case, c passed."""

from pathlib import Path

import pytest

from steelyard.errors import InputError, UserError
from steelyard.model.options import ColumnMapping
from tests.store.counting import by_case, counted, written


def test_a_row_of_counts_is_so_many_samples(tmp_path: Path) -> None:
    states = by_case(counted(written(tmp_path, "task,n,c\na,10,3\nb,4,0\n")))

    assert {case: (state.n, state.c) for case, state in states.items()} == {"a": (10, 3), "b": (4, 0)}


def test_rows_of_one_case_add_up(tmp_path: Path) -> None:
    state = by_case(counted(written(tmp_path, "task,n,c,attempt\na,10,3,1\na,10,4,1\n")))["a"]

    assert (state.n, state.c) == (20, 7)


def test_what_is_about_all_samples_together_is_left_alone(tmp_path: Path) -> None:
    state = by_case(counted(written(tmp_path, "task,n,c,cost,score\na,10,3,0.5,0.3\n")))["a"]

    assert (state.cost_n, state.c) == (0, 3)


def test_a_verdict_of_the_row_goes_before_counts(tmp_path: Path) -> None:
    text = "task,n,c,passed\na,10,3,true\n"

    assert by_case(counted(written(tmp_path, text)))["a"].n == 1
    chosen = ColumnMapping(columns={"c": "c"})
    assert by_case(counted(written(tmp_path, text), naming=chosen))["a"].n == 10


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,2,3", "row 1: column 'c' is '3'; more samples passed than there are"),
        ("a,,3", "row 1: column 'n' is empty; every row needs the number of samples"),
        ("a,3,", "row 1: column 'c' is empty; every row needs the number of samples that passed"),
        ("a,2000000,3", "column 'n' is '2000000'; expected at most 1000000 samples in a row"),
        ("a,many,3", r"'n'.*'many'"),
    ],
)
def test_counts_that_no_samples_can_have_are_refused(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        counted(written(tmp_path, f"task,n,c\n{row}\n"))


def test_one_count_needs_the_other(tmp_path: Path) -> None:
    chosen = ColumnMapping(columns={"n": "tries"})

    with pytest.raises(InputError, match=r"`map=n=COLUMN`.*`map=c=COLUMN`.*belong"):
        counted(written(tmp_path, "task,tries\na,3\n"), naming=chosen)


def test_an_empty_cell_of_a_model_is_no_sample(tmp_path: Path) -> None:
    evidence = counted(
        written(tmp_path, "task,m1,m2\na,1,\nb,0,1\n"), naming=ColumnMapping(wide=("m1", "m2"))
    )

    assert [(state.model, state.case, state.n) for state in evidence.states] == [
        ("m1", "a", 1),
        ("m1", "b", 1),
        ("m2", "b", 1),
    ]


def test_a_bad_cell_of_a_model_is_found_in_its_row_and_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'m2'.*'perhaps'"):
        counted(
            written(tmp_path, "task,m1,m2\na,1,0\nb,0,perhaps\n"), naming=ColumnMapping(wide=("m1", "m2"))
        )


def test_a_column_can_be_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, "task_id,oid,passed\na,1,true\na,2,true\n")

    assert by_case(counted(path, naming=ColumnMapping(ignore=("OID",))))["a"].n == 2


@pytest.mark.parametrize(
    ("option", "naming"),
    [("wide", ColumnMapping(wide=("absent",))), ("ignore", ColumnMapping(ignore=("absent",)))],
)
def test_a_column_that_is_not_there_is_named_with_those_that_are(
    tmp_path: Path, option: str, naming: ColumnMapping
) -> None:
    message = f"no column 'absent' for `{option}=absent`; the columns are 'task', 'ok'"

    with pytest.raises(InputError, match=message):
        counted(written(tmp_path, "task,ok\na,1\n"), naming=naming)


def test_counts_of_the_tests_of_one_attempt_are_no_samples(tmp_path: Path) -> None:
    text = "task_id,attempt,total,num_passed\na,0,7,5\na,1,7,7\n"

    with pytest.raises(UserError, match="which samples passed"):
        counted(written(tmp_path, text))


def test_a_row_without_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'n' is '0'; expected at least one sample"):
        counted(written(tmp_path, "task,n,c\na,0,0\n"))


def test_a_model_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'m1' is named twice"):
        counted(written(tmp_path, "task,m1\na,1\n"), naming=ColumnMapping(wide=("m1", "m1")))
