"""The means of cases: plain with a fixed number of samples, right on average under a stop rule."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.analysis.case_means import (
    kind_share,
    kind_shares,
    left_open,
    mean_cost,
    pass_share,
    pass_shares,
    score_share,
    score_shares,
    stop_rule,
)
from steelyard.metrics.stopping import stopping_paths
from steelyard.model.estimate import Reason
from steelyard.model.outcome import Classification
from steelyard.model.state import CaseState
from tests.analysis.counted import case

RULES = ("maximum=6,passes=1", "maximum=7,minimum=3,passes=2", "maximum=8,failures=2", "maximum=5,unanimous")
PASS_SCORE, FAIL_SCORE = 900_000, 300_000
PASS_COST, FAIL_COST = 10, 40


def stopped(n: int, c: int) -> CaseState:
    """Return a case whose passes all have one score and one cost, and whose refusals have others."""
    return CaseState(
        "m",
        "T0",
        "s",
        "case",
        n=n,
        c=c,
        n_refusal=n - c,
        score_n=n,
        score_sum=c * PASS_SCORE + (n - c) * FAIL_SCORE,
        score_pass_sum=c * PASS_SCORE,
        cost_n=n,
        cost_sum=c * PASS_COST + (n - c) * FAIL_COST,
        cost_pass_sum=c * PASS_COST,
        cost_fail_sum=(n - c) * FAIL_COST,
    )


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_every_mean_is_right_on_average_whatever_the_pass_rate_is(text: str, p: Fraction) -> None:
    rule = stop_rule(text)
    assert rule is not None
    chances = {
        point: ways * p ** point[1] * (1 - p) ** (point[0] - point[1])
        for point, ways in stopping_paths(rule).items()
    }

    def mean(of: str) -> Fraction:
        found = Fraction(0)
        for (n, c), chance in chances.items():
            state = stopped(n, c)
            values = {
                "passes": Fraction(*pass_share(state, rule)),
                "refusals": Fraction(*kind_share(state, Classification.REFUSAL, rule)),
                "score": Fraction(*score_share(state, rule)),
                "cost": mean_cost(state, rule),
            }
            found += prod((chance, values[of]))
        return found

    assert mean("passes") == p
    assert mean("refusals") == 1 - p
    assert mean("score") == (p * PASS_SCORE + (1 - p) * FAIL_SCORE) / 10**6
    assert mean("cost") == (p * PASS_COST + (1 - p) * FAIL_COST) / 10**9


def test_without_a_rule_the_means_are_the_plain_ones() -> None:
    state = stopped(4, 1)

    assert Fraction(*pass_share(state, None)) == Fraction(1, 4)
    assert Fraction(*score_share(state, None)) == Fraction(45, 100)
    assert Fraction(*kind_share(state, Classification.REFUSAL, None)) == Fraction(3, 4)


counted = st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(st.lists(counted, max_size=8))
def test_the_columns_of_many_cases_hold_the_shares_of_each(points: list[tuple[int, int]]) -> None:
    states = [stopped(n, c) for n, c in points]
    kinds = [(Classification.PASS, Classification.REFUSAL)[n % 2] for n, _ in points]

    found = (pass_shares(states, None), score_shares(states, None), kind_shares(states, kinds, None))

    singles = (
        [pass_share(state, None) for state in states],
        [score_share(state, None) for state in states],
        [kind_share(state, kind, None) for state, kind in zip(states, kinds, strict=True)],
    )
    for shares, single in zip(found, singles, strict=True):
        assert list(zip(shares.part.tolist(), shares.whole.tolist(), strict=True)) == single


@pytest.mark.parametrize("text", RULES)
def test_the_columns_under_a_stop_rule_hold_the_shares_of_each(text: str) -> None:
    rule = stop_rule(text)
    assert rule is not None
    states = [stopped(n, c) for n, c in stopping_paths(rule)]

    assert pass_shares(states, rule).values.tolist() == [
        part / whole for part, whole in (pass_share(state, rule) for state in states)
    ]
    assert score_shares(states, rule).values.tolist() == [
        part / whole for part, whole in (score_share(state, rule) for state in states)
    ]


def test_errored_samples_add_their_cost_to_every_sample() -> None:
    rule = stop_rule("maximum=4,passes=1")
    assert rule is not None
    state = stopped(2, 1)._replace(n_error=1, cost_sum=PASS_COST + FAIL_COST + 6)

    assert mean_cost(state, rule) * 10**9 == FAIL_COST + 3


def test_a_case_left_before_the_rule_ended_it_has_no_mean() -> None:
    rule = stop_rule("maximum=5,passes=1")
    gap = left_open([case("a", 3, 0), case("b", 1, 1), CaseState("m", "T0", "s", "missing")], rule)

    assert gap is not None
    assert (gap.reason, gap.detail) == (
        Reason.OPTIONAL_STOPPING,
        "1 of 3 cases left before the stop rule ended them",
    )
    assert left_open([case("b", 1, 1)], rule) is None
    assert left_open([case("a", 3, 0)], None) is None
