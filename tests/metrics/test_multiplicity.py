import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.multiplicity import (
    CaseTests,
    benjamini_hochberg,
    fisher_drop_p,
    fisher_tests,
    holm,
    tarone,
)
from tests.golden_values import Row, golden, golden_rows
from tests.metrics.strategies import paired_runs, unhurried

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("row", golden_rows("fisher_one_sided_drop"), ids=str)
def test_fishers_p_equals_the_golden_value(row: Row) -> None:
    p = fisher_drop_p(n0=row["n0"], c0=row["c0"], n1=row["n1"], c1=row["c1"])

    assert p == pytest.approx(row["p"], rel=1e-12)


def test_the_adjusted_p_values_equal_the_golden_values() -> None:
    section = golden()["multiplicity"]

    assert holm(section["p"]) == pytest.approx(section["holm"], rel=1e-12)
    assert benjamini_hochberg(section["p"]) == pytest.approx(section["bh"], rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(P_VALUES)
def test_the_adjusted_p_values_agree_with_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12, abs=1e-300)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], rel=1e-12, abs=1e-300)


@unhurried
@given(paired_runs(most_cases=5))
def test_fishers_p_agrees_with_scipy(pair: tuple[CaseCounts, CaseCounts]) -> None:
    baseline, current = pair

    p = fisher_tests(baseline, current).p

    for place, (n0, c0, n1, c1) in enumerate(zip(baseline.n, baseline.c, current.n, current.c, strict=True)):
        expected = stats.fisher_exact(np.array([[c1, n1 - c1], [c0, n0 - c0]]), alternative="less").pvalue
        assert p[place] == pytest.approx(expected, rel=1e-9)


@unhurried
@given(paired_runs())
def test_no_p_value_is_below_the_smallest_attainable(pair: tuple[CaseCounts, CaseCounts]) -> None:
    tests = fisher_tests(*pair)

    assert np.all(tests.p >= tests.smallest)
    assert np.all(tests.smallest > 0)


@unhurried
@given(P_VALUES, st.floats(0.001, 0.5))
def test_tarone_finds_everything_that_bonferroni_finds(p: list[float], alpha: float) -> None:
    tests = CaseTests(p=np.array(p), smallest=np.array(p) / 2)

    found = tarone(tests, alpha=alpha)

    assert set(np.flatnonzero(np.array(p) <= alpha / len(p)).tolist()) <= set(found.cases)
    assert found.threshold * found.tested <= alpha * (1 + 1e-9)


def test_tarone_sees_one_broken_case_of_164_at_five_samples_where_holm_sees_nothing() -> None:
    baseline = CaseCounts.of(n=5, c=[5] * 164)
    tests = fisher_tests(baseline, CaseCounts.of(n=5, c=[0] + [5] * 163))

    assert tarone(tests, alpha=0.05).cases == (0,)
    assert holm(tests.p).min() > 0.05


def test_a_p_value_of_exactly_one_in_twenty_meets_alpha() -> None:
    tests = fisher_tests(CaseCounts.of(n=3, c=[3]), CaseCounts.of(n=3, c=[0]))

    assert tarone(tests, alpha=0.05).cases == (0,)


def test_when_more_cases_can_reach_alpha_each_gets_less_of_it() -> None:
    baseline = CaseCounts.of(n=5, c=[5, 5, 5])
    current = CaseCounts.of(n=5, c=[0, 0, 1])

    found = tarone(fisher_tests(baseline, current), alpha=0.05)

    assert found.threshold == pytest.approx(0.05 / 3)
    assert found.tested == 2
    assert found.cases == (0, 1)


def test_without_cases_nothing_is_found() -> None:
    empty = CaseCounts.of(n=[], c=[])

    assert tarone(fisher_tests(empty, empty), alpha=0.05).cases == ()
    assert holm([]).tolist() == []
    assert benjamini_hochberg([]).tolist() == []


@pytest.mark.parametrize("alpha", [0, 1, -1])
def test_an_alpha_outside_zero_and_one_is_refused(alpha: float) -> None:
    with pytest.raises(DomainError, match="alpha lies"):
        tarone(CaseTests(p=np.ones(1), smallest=np.ones(1)), alpha=alpha)


@pytest.mark.parametrize("p", [[-0.1], [0.5, 1.1]])
def test_what_is_no_p_value_is_refused(p: list[float]) -> None:
    with pytest.raises(DomainError, match="p-values"):
        holm(p)
