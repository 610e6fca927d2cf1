"""Counting cases: exact beyond 64 bits, in order, and cheap to prove sound."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from tests.store.counting import by_case, counted, written

MUCH = 9 * 10**17 + 1  # fifteen of them are more than 64 bits
COSTS = "model,case,attempt,passed,cost_nano_usd\n"


def test_a_sum_of_more_than_64_bits_is_exact(tmp_path: Path) -> None:
    rows = "".join(f"a,c,{attempt},{attempt < 15},{MUCH}\n" for attempt in range(20))

    state = by_case(counted(written(tmp_path, COSTS + rows)))["c"]

    assert (state.cost_sum, state.cost_pass_sum, state.cost_fail_sum) == (20 * MUCH, 15 * MUCH, 5 * MUCH)


def test_the_cost_of_errors_is_neither_that_of_passes_nor_that_of_failures(tmp_path: Path) -> None:
    state = by_case(counted(written(tmp_path, f"{COSTS}a,c,0,True,1\na,c,1,False,20\na,c,2,,300\n")))["c"]

    assert (state.cost_sum, state.cost_pass_sum, state.cost_fail_sum) == (321, 1, 20)


def test_states_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    rows = [
        "b,z,0,True",
        "a,é,0,True",
        "a,Z,0,True",
        "a,a,0,True",
        "a,\N{GRINNING FACE},0,True",
        "a,\N{FULLWIDTH LATIN SMALL LETTER Z},0,True",
    ]
    path = written(tmp_path, "model,case,attempt,passed\n" + "\n".join(rows) + "\n")

    states = counted(path).states

    assert [state.key for state in states] == sorted(state.key for state in states)


def test_one_repeated_attempt_among_many_cases_is_found(tmp_path: Path) -> None:
    rows = "".join(f"a,c{case},{attempt},True\n" for case in range(50) for attempt in range(3))
    path = written(tmp_path, "model,case,attempt,passed\n" + rows + "a,c7,1,False\n")

    with pytest.raises(InputError, match="both claim attempt 1 of case 'c7'"):
        counted(path)
