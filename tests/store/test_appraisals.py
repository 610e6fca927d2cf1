"""Applying a scoring rule to every row by way of the few different ones."""

from pathlib import Path

import duckdb
import pytest

from steelyard.errors import InputError
from steelyard.model.options import RuleChoice
from steelyard.model.state import CaseState
from tests.store.counting import HEADER, by_case, counted, written

BUILDS = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings\n"


def only(path: Path, rule: RuleChoice | None = None) -> CaseState:
    """Return the state of the only case."""
    (state,) = by_case(counted(path, rule=rule)).values()
    return state


def test_pass_and_fail_need_no_join(tmp_path: Path) -> None:
    state = only(written(tmp_path, HEADER + "a,c,0,True\na,c,1,False\na,c,2,\n"))

    assert (state.n, state.c, state.n_error) == (2, 1, 1)
    assert (state.score_n, state.score_sum) == (2, 1_000_000)


def test_a_score_is_left_out_under_a_rule_that_makes_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER.strip() + ",score\na,c,0,True,0.25\n")

    assert only(path, RuleChoice(name="plausible")).score_sum == 1_000_000
    assert only(path).score_sum == 250_000


def test_a_given_score_beside_other_facts_stays(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "model,case,attempt,classification,score\na,c,0,pass,0.9\na,c,1,error,0.4\na,c,2,crash,0.1\n",
    )

    state = only(path)

    assert (state.n, state.n_error, state.n_crash) == (2, 1, 1)
    assert (state.score_n, state.score_sum) == (2, 1_000_000)


def test_a_score_to_pass_with_is_exact(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,score\na,c,0,0.333333\na,c,1,0.333334\n")

    state = only(path, RuleChoice(pass_score="1/3"))

    assert (state.n, state.c) == (2, 1)


def test_thousands_of_different_facts_are_appraised(tmp_path: Path) -> None:
    rows = "".join(f"a,c,{place},True,{place},{3000 - place},{place % 7}\n" for place in range(3000))

    state = only(written(tmp_path, BUILDS + rows))

    assert (state.n, state.c, state.tests_n) == (3000, 0, 3000)


def test_where_nobody_ran_tests_none_failed(tmp_path: Path) -> None:
    state = only(written(tmp_path, "model,case,attempt,built\na,c,0,True\na,c,1,False\n"))

    assert (state.built_n, state.built_sum, state.tests_n) == (2, 1, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BUILDS + "a,c,0,True,1,0,0\na,c,1,True,1,0,-1\n",
            r"'lint_warnings'.*'-1'",
        ),
        (
            HEADER.strip() + ",impl_rate\na,c,0,True,1.5\n",
            r"'impl_rate'.*'1.5'",
        ),
        (
            HEADER.strip() + ",impl_rate\na,c,0,True,-1\n",
            r"'impl_rate'.*'-1'",
        ),
        (
            HEADER.strip() + ",score,impl_rate\na,c,0,True,1,1\na,c,1,True,1,2\n",
            r"'impl_rate'.*'2'",
        ),
        (
            HEADER.strip() + ",classification\na,c,0,True,pass\na,c,1,True,crash\n",
            r"'classification'.*'crash'",
        ),
    ],
)
def test_a_row_that_cannot_be_appraised_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        counted(written(tmp_path, text))


def test_a_negative_count_in_a_typed_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    columns = "'a' AS model, 'c' AS \"case\", true AS built, 1 AS tests_passed, -2 AS tests_failed"
    duckdb.execute(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")

    with pytest.raises(InputError, match=r"'tests_failed'.*'-2'"):
        counted(path)


def test_a_rating_beside_a_score_is_counted(tmp_path: Path) -> None:
    state = only(written(tmp_path, HEADER.strip() + ",score,impl_rate\na,c,0,True,1,0.5\na,c,1,True,1,\n"))

    assert (state.impl_n, state.impl_sum) == (1, 500_000)
