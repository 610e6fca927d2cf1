from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.pass_at_k import pass_at_k
from steelyard.metrics.stopping import (
    StopRule,
    fixed,
    is_estimable,
    is_open,
    stop_rule_of,
    stopped_pass_at_k,
    stopping_paths,
    sure_samples,
)
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried

RULES = [
    StopRule(maximum=10, passes=1),
    StopRule(maximum=10, minimum=3, passes=1),
    StopRule(maximum=12, minimum=3, passes=2),
    StopRule(maximum=10, minimum=3, unanimous=True),
    StopRule(maximum=8, minimum=2, failures=3),
    StopRule(maximum=9, minimum=2, passes=3, failures=4),
    fixed(10),
]


def expectation(rule: StopRule, p: Fraction, estimate: dict[tuple[int, int], Fraction]) -> Fraction:
    """Return the mean of an estimate over where the rule may stop, exactly."""
    return sum(
        (ways * p**c * (1 - p) ** (n - c) * estimate[n, c] for (n, c), ways in stopping_paths(rule).items()),
        Fraction(0),
    )


def path_estimates(rule: StopRule, k: int) -> dict[tuple[int, int], Fraction]:
    return {
        (n, c): Fraction(stopped_pass_at_k(rule, n=n, c=c, k=k)).limit_denominator(10**9)
        for n, c in stopping_paths(rule)
    }


@pytest.mark.parametrize("row", golden_rows("optional_stopping"), ids=str)
def test_stopping_at_the_first_pass_biases_the_plain_rate_but_not_the_path_count(row: Row) -> None:
    rule, p = StopRule(maximum=row["n_max"], passes=1), Fraction(row["p"])
    plain = {(n, c): Fraction(c, n) for n, c in stopping_paths(rule)}

    unbiased = expectation(rule, p, path_estimates(rule, 1))

    assert float(expectation(rule, p, plain)) == pytest.approx(row["E_c_over_n"], rel=1e-12)
    assert float(unbiased) == pytest.approx(row["unbiased_pass_at_1"], rel=1e-12)
    assert unbiased == p


@pytest.mark.parametrize("row", golden_rows("optional_stopping", "E_1_over_N"), ids=str)
def test_without_a_cap_the_bias_is_the_golden_one(row: Row) -> None:
    rule, p = StopRule(maximum=600, passes=1), row["p"]

    mean = sum(ways * p**c * (1 - p) ** (n - c) * c / n for (n, c), ways in stopping_paths(rule).items())

    assert mean == pytest.approx(row["value"], rel=1e-12)


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)])
def test_the_path_count_is_unbiased_wherever_it_exists(rule: StopRule, k: int, p: Fraction) -> None:
    if not is_estimable(rule, k=k):
        with pytest.raises(DomainError, match=f"can stop before {k} samples"):
            stopped_pass_at_k(rule, n=1, c=1, k=k)
        return

    assert expectation(rule, p, path_estimates(rule, k)) == 1 - (1 - p) ** k


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_chances_of_all_ends_add_up(rule: StopRule) -> None:
    everywhere = dict.fromkeys(stopping_paths(rule), Fraction(1))

    assert expectation(rule, Fraction(1, 3), everywhere) == 1


@unhurried
@given(st.integers(1, 12), st.data())
def test_a_fixed_number_of_samples_gives_the_ordinary_pass_at_k(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))

    assert stopped_pass_at_k(fixed(n), n=n, c=c, k=k) == pytest.approx(pass_at_k(n=n, c=c, k=k), rel=1e-12)


@unhurried
@given(st.integers(2, 5), st.integers(0, 20))
def test_stopping_at_the_rth_pass_gives_haldanes_estimate(passes: int, more: int) -> None:
    n = passes + more

    estimate = stopped_pass_at_k(StopRule(maximum=60, passes=passes), n=n, c=passes, k=1)

    assert estimate == pytest.approx((passes - 1) / (n - 1))


def test_an_end_that_the_rule_does_not_have_is_refused() -> None:
    with pytest.raises(DomainError, match=r"stop.*2.*5"):
        stopped_pass_at_k(StopRule(maximum=10, passes=1), n=5, c=2, k=1)


def test_pass_at_0_means_nothing() -> None:
    with pytest.raises(DomainError, match="at least 1"):
        is_estimable(fixed(3), k=0)


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 5), (6, 5)])
def test_a_rule_that_never_begins_is_refused(minimum: int, maximum: int) -> None:
    with pytest.raises(DomainError, match="minimum <= maximum"):
        StopRule(minimum=minimum, maximum=maximum)


@pytest.mark.parametrize(("passes", "failures"), [(0, None), (None, 0)])
def test_a_rule_that_stops_at_nothing_is_refused(passes: int | None, failures: int | None) -> None:
    with pytest.raises(DomainError, match="failure"):
        StopRule(maximum=5, passes=passes, failures=failures)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("maximum=10,passes=1", StopRule(maximum=10, passes=1)),
        ("maximum=9,minimum=2,failures=4,passes=3", StopRule(maximum=9, minimum=2, passes=3, failures=4)),
        ("minimum=3,maximum=10,unanimous", StopRule(maximum=10, minimum=3, unanimous=True)),
    ],
)
def test_a_rule_is_read_as_it_is_declared(text: str, rule: StopRule) -> None:
    assert stop_rule_of(text) == rule


@pytest.mark.parametrize(
    "text", ["", "passes=1", "maximum=x", "maximum=3,first=1", "maximum=-1", "maximum", "maximum=3,maximum=4"]
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(DomainError, match=r"maximum=N.*minimum=N"):
        stop_rule_of(text)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_sampling_is_open_wherever_a_path_leads_that_has_not_ended(rule: StopRule) -> None:
    reached = {(0, 0)}
    for n in range(rule.maximum):
        going = {(n, c) for c in range(n + 1) if (n, c) in reached and not rule.stops(n=n, c=c)}
        assert {c for c in range(n + 1) if is_open(rule, n=n, c=c)} == {c for _, c in going}
        reached |= {(n + 1, c + passed) for _, c in going for passed in (0, 1)}

    assert not any(is_open(rule, n=n, c=c) for n, c in stopping_paths(rule))
    assert not is_open(rule, n=rule.maximum, c=0)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_what_is_drawn_at_once_can_never_pass_a_point_where_the_rule_ends(rule: StopRule) -> None:
    for n in range(rule.maximum):
        for c in [c for c in range(n + 1) if is_open(rule, n=n, c=c)]:
            more = sure_samples(rule, n=n, c=c)
            ends = [n + step for step in range(1, more + 1) for passed in range(step + 1)
                    if rule.stops(n=n + step, c=c + passed)]  # fmt: skip
            assert ends
            assert set(ends) == {n + more}

    assert sure_samples(rule, n=rule.maximum, c=1) == 0


def test_a_rule_that_stops_too_soon_without_a_pass_has_no_estimate_and_says_why() -> None:
    rule = StopRule(maximum=10, failures=2)

    with pytest.raises(DomainError, match=r"3 samples.*pass@3"):
        stopped_pass_at_k(rule, n=2, c=0, k=3)
