"""A cap holds: with retries, with many threads, and with calls that cost more than anybody thought."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.runner.generate.budget import Budget, Reservation

AMOUNTS = st.integers(min_value=0, max_value=50)


def test_money_is_set_aside_and_then_spent() -> None:
    budget = Budget(100, spent=10)

    reservation = budget.reserve(60)

    assert reservation is not None
    assert (budget.spent, budget.reserved, budget.left) == (10, 60, 30)
    reservation.settle(25)
    assert (budget.spent, budget.reserved, budget.left) == (35, 0, 65)


def test_a_call_that_might_exceed_the_cap_does_not_begin() -> None:
    budget = Budget(100)
    budget.reserve(60)

    assert budget.reserve(41) is None
    assert budget.reserved == 60
    assert budget.reserve(40) is not None


def test_what_nobody_knows_counts_as_all_that_was_set_aside() -> None:
    budget = Budget(100)
    reservation = budget.reserve(60)

    assert reservation is not None
    reservation.settle(None)

    assert (budget.spent, budget.reserved) == (60, 0)


def test_a_call_is_paid_once() -> None:
    budget = Budget(100)
    reservation = budget.reserve(60)

    assert reservation is not None
    reservation.settle(20)
    reservation.settle(None)

    assert (budget.spent, budget.reserved) == (20, 0)


def test_without_a_cap_everything_begins_and_is_counted() -> None:
    budget = Budget(None)
    reservation = budget.reserve(10**15)

    assert reservation is not None
    assert budget.left is None
    reservation.settle(7)
    assert budget.spent == 7


def test_a_resumed_run_with_a_cap_below_what_it_has_spent_begins_nothing() -> None:
    budget = Budget(100, spent=101)

    assert budget.reserve(0) is None
    assert budget.left == -1


def test_no_call_earns_money() -> None:
    with pytest.raises(ValueError, match="negative"):
        Budget(100).reserve(-1)


@given(
    cap=st.integers(min_value=0, max_value=300),
    calls=st.lists(st.tuples(AMOUNTS, st.none() | AMOUNTS), max_size=60),
    width=st.integers(min_value=1, max_value=8),
    order=st.randoms(use_true_random=False),
)
def test_what_is_spent_exceeds_the_cap_by_no_more_than_the_excesses_in_flight(
    cap: int, calls: list[tuple[int, int | None]], width: int, order: Random
) -> None:
    budget = Budget(cap)
    flying: list[tuple[Reservation, int | None]] = []
    excess_allowed = 0
    for amount, actual in calls:
        if len(flying) == width:
            reservation, cost = flying.pop(order.randrange(width))
            reservation.settle(cost)
        begun = budget.reserve(amount)
        if begun is not None:
            flying.append((begun, actual))
            excess_allowed = sum(max(0, (cost or 0) - held.amount) for held, cost in flying)
        assert budget.reserved == sum(held.amount for held, _ in flying)
        assert budget.spent <= cap + excess_allowed
    for reservation, cost in flying:
        reservation.settle(cost)
    assert budget.reserved == 0
    assert budget.spent <= cap + excess_allowed


@given(cap=st.integers(min_value=0, max_value=2_000), amount=st.integers(min_value=1, max_value=40))
def test_calls_that_keep_to_their_reservations_use_the_cap_up_and_never_exceed_it(
    cap: int, amount: int
) -> None:
    budget = Budget(cap)
    while (reservation := budget.reserve(amount)) is not None:
        reservation.settle(amount)

    assert cap - amount < budget.spent <= cap


def test_fifty_threads_with_retries_count_exactly_and_stay_under_the_cap() -> None:
    budget, barrier = Budget(100_000), Barrier(50)

    def generate(seed: int) -> tuple[int, int]:
        chance, paid, begun = Random(seed), 0, 0
        barrier.wait()
        while (reservation := budget.reserve(97)) is not None:
            begun += 1
            actual = chance.choice([None, 0, 13, 97])  # unknown, refused before any work, cheap, dear
            paid += 97 if actual is None else actual
            reservation.settle(actual)
        return paid, begun

    with ThreadPoolExecutor(50) as pool:
        results = list(pool.map(generate, range(50)))

    assert budget.spent == sum(paid for paid, _ in results)
    assert budget.reserved == 0
    assert 100_000 - 50 * 97 < budget.spent <= 100_000
    assert sum(begun for _, begun in results) > 1_000
