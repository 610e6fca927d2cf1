from itertools import product
from math import comb, sqrt
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from steelyard.errors import DomainError
from steelyard.metrics import cmh
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.cmh import (
    PMethod,
    cmh_test,
    corrected_drop_p,
    exact_drop_p,
    hypergeometric,
    mcnemar_p,
    odds_ratio,
    permutation_variances,
    stratified_z,
)
from steelyard.metrics.quantiles import normal_below
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import paired_runs, reordered, runs, unhurried


def runs_of(strata: list[list[int]]) -> tuple[CaseCounts, CaseCounts]:
    n0, c0, n1, c1 = zip(*strata, strict=True)
    return CaseCounts.of(n=n0, c=c0), CaseCounts.of(n=n1, c=c1)


def enumerated_p(baseline: CaseCounts, current: CaseCounts) -> float:
    """Return the exact p-value by walking through every table with the same margins."""
    passed = (baseline.c + current.c).tolist()
    ranges = [
        range(max(0, s - n0), min(n1, s) + 1)
        for s, n0, n1 in zip(passed, baseline.n.tolist(), current.n.tolist(), strict=True)
    ]
    below = 0.0
    for xs in product(*ranges):
        if sum(xs) <= current.c.sum():
            rows = zip(xs, passed, baseline.n.tolist(), current.n.tolist(), strict=True)
            chances = [comb(n1, x) * comb(n0, s - x) / comb(n0 + n1, s) for x, s, n0, n1 in rows]
            below += float(np.prod(chances))
    return below


# --- golden values ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", golden_rows("cmh"), ids=str)
def test_the_cmh_test_equals_the_golden_values(row: Row) -> None:
    test = cmh_test(*runs_of(row["strata_n0_c0_n1_c1"]))

    assert (test.excess, test.variance) == pytest.approx((row["T"], row["V"]), rel=1e-12, abs=1e-15)
    assert test.z == (None if row["z"] is None else pytest.approx(row["z"], rel=1e-12))
    assert test.p == pytest.approx(row["p_drop_exact"], rel=1e-12)


@pytest.mark.parametrize("row", [row for row in golden_rows("cmh") if row["V"]], ids=str)
def test_the_normal_forms_equal_the_golden_values(row: Row) -> None:
    test = cmh_test(*runs_of(row["strata_n0_c0_n1_c1"]))
    assert test.z is not None

    corrected = corrected_drop_p(excess=test.excess, variance=test.variance)

    assert corrected == pytest.approx(row["p_drop_z_cc"], rel=1e-12)
    assert normal_below(test.z) == pytest.approx(row["p_drop_z"], rel=1e-12)


@pytest.mark.parametrize("row", golden_rows("mcnemar_exact_one_sided"), ids=str)
def test_mcnemar_equals_the_golden_value(row: Row) -> None:
    p = mcnemar_p(losses=row["losses"], wins=row["wins"])

    assert p == pytest.approx(row["p"], rel=1e-12)


# --- oracles ----------------------------------------------------------------------------------------


@unhurried
@given(paired_runs(most_cases=4))
def test_the_exact_p_is_the_sum_over_all_tables(pair: tuple[CaseCounts, CaseCounts]) -> None:
    assert exact_drop_p(*pair) == pytest.approx(enumerated_p(*pair), rel=1e-10)


def test_the_cmh_z_and_odds_ratio_agree_with_statsmodels() -> None:
    baseline = CaseCounts.of(n=[10, 8, 6], c=[9, 4, 3])
    current = CaseCounts.of(n=[9, 8, 7], c=[5, 3, 3])
    tables = [
        [[c1, n1 - c1], [c0, n0 - c0]]
        for n0, c0, n1, c1 in zip(baseline.n, baseline.c, current.n, current.c, strict=True)
    ]
    oracle = StratifiedTable([np.array(table) for table in tables])

    z = cmh_test(baseline, current).z

    assert z is not None
    assert z**2 == pytest.approx(oracle.test_null_odds().statistic, rel=1e-12)
    assert odds_ratio(baseline, current) == pytest.approx(oracle.oddsratio_pooled, rel=1e-12)


@pytest.mark.parametrize(
    ("n0", "n1", "passed"), [(5, 5, 3), (50, 5, 49), (1, 1, 2), (400, 700, 300), (3, 2, 0)]
)
def test_the_hypergeometric_law_agrees_with_scipy(n0: int, n1: int, passed: int) -> None:
    places = np.arange(max(0, passed - n0), min(n1, passed) + 1)

    chances = hypergeometric(n0=n0, n1=n1, passed=passed)

    assert chances == pytest.approx(stats.hypergeom.pmf(places, n0 + n1, passed, n1), rel=1e-9, abs=1e-300)


@unhurried
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_agrees_with_the_binomial_test(losses: int, wins: int) -> None:
    expected = stats.binom.sf(losses - 1, losses + wins, 0.5)

    assert mcnemar_p(losses=losses, wins=wins) == pytest.approx(expected, rel=1e-10)


# --- what must always hold --------------------------------------------------------------------------


@unhurried
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40))
def test_at_one_sample_per_case_the_test_is_mcnemars(pairs: list[tuple[int, int]]) -> None:
    before, after = zip(*pairs, strict=True)
    losses, wins = pairs.count((1, 0)), pairs.count((0, 1))

    test = cmh_test(CaseCounts.of(n=1, c=before), CaseCounts.of(n=1, c=after))

    assert test.p == pytest.approx(mcnemar_p(losses=losses, wins=wins), rel=1e-12)
    assert test.z == (pytest.approx((wins - losses) / sqrt(losses + wins)) if losses + wins else None)


@unhurried
@given(paired_runs(), st.data())
def test_the_order_of_the_cases_does_not_matter(
    pair: tuple[CaseCounts, CaseCounts], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(pair[0]))))

    shuffled = cmh_test(*(reordered(run, order) for run in pair))

    assert shuffled.p == pytest.approx(cmh_test(*pair).p, rel=1e-12)


@unhurried
@given(runs())
def test_a_run_against_itself_shows_no_drop(counts: CaseCounts) -> None:
    test = cmh_test(counts, counts)

    assert test.p >= 0.5
    assert test.excess == pytest.approx(0, abs=1e-12)


@unhurried
@given(paired_runs())
def test_exchanging_the_runs_turns_z_round(pair: tuple[CaseCounts, CaseCounts]) -> None:
    baseline, current = pair
    forth, back = cmh_test(baseline, current), cmh_test(current, baseline)

    assert back.excess == pytest.approx(-forth.excess, abs=1e-12)
    assert forth.p + back.p >= 1 - 1e-12


@unhurried
@given(paired_runs())
def test_fewer_passes_never_raise_the_p_value(pair: tuple[CaseCounts, CaseCounts]) -> None:
    baseline, current = pair
    none = CaseCounts.of(n=current.n, c=np.zeros_like(current.c))

    assert cmh_test(baseline, none).p <= cmh_test(baseline, current).p + 1e-12


@unhurried
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20))
def test_for_passes_with_equal_samples_the_stratified_z_is_the_cmh_z(pairs: list[tuple[int, int]]) -> None:
    before, after = zip(*pairs, strict=True)
    baseline, current = CaseCounts.of(n=5, c=before), CaseCounts.of(n=5, c=after)

    z = stratified_z(baseline.sums, current.sums)

    expected = cmh_test(baseline, current).z
    assert z == (None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-12))


def test_the_stratified_z_is_that_of_dealing_the_scores_out_anew() -> None:
    before, after = np.array([[1.0, 0.5, 0.25], [0.0, 0.9, 0.4]]), np.array([[0.5, 0.5], [0.1, 0.3]])
    pooled = np.concatenate([before, after], axis=1).var(axis=1, ddof=1)
    expected = (after.mean(axis=1) - before.mean(axis=1)).sum() / np.sqrt((pooled * (1 / 3 + 1 / 2)).sum())

    z = stratified_z(_sums(before), _sums(after))

    assert z == pytest.approx(expected, rel=1e-12)


def _sums(scores: np.typing.NDArray[np.float64]) -> CaseSums:
    return CaseSums.of(
        n=np.full(len(scores), scores.shape[1]), total=scores.sum(axis=1), total_sq=(scores**2).sum(axis=1)
    )


def test_scores_that_never_vary_have_no_z_whatever_the_rounding() -> None:
    constant = _sums(np.full((3, 7), 0.1))

    assert stratified_z(constant, constant) is None
    assert permutation_variances(constant, constant).tolist() == [0, 0, 0]


def test_without_a_loss_the_odds_ratio_is_unknown() -> None:
    assert odds_ratio(CaseCounts.of(n=2, c=[1]), CaseCounts.of(n=2, c=[2])) is None


def test_where_nothing_can_differ_there_is_no_evidence() -> None:
    test = cmh_test(CaseCounts.of(n=5, c=[5, 0]), CaseCounts.of(n=5, c=[5, 0]))

    assert (test.p, test.z, test.method) == (1.0, None, PMethod.NO_EVIDENCE)


@pytest.mark.parametrize(("losses", "wins"), [(-1, 0), (0, -1)])
def test_mcnemar_refuses_negative_counts(losses: int, wins: int) -> None:
    with pytest.raises(DomainError, match="not negative"):
        mcnemar_p(losses=losses, wins=wins)


# --- size -------------------------------------------------------------------------------------------


def large_runs(cases: int, *, drop: float = 0.0) -> tuple[CaseCounts, CaseCounts]:
    rng = np.random.default_rng(7)
    p = rng.beta(0.5, 0.25, cases)
    return (
        CaseCounts.of(n=5, c=rng.binomial(5, p)),
        CaseCounts.of(n=5, c=rng.binomial(5, p * (1 - drop))),
    )


def test_a_hundred_thousand_cases_are_compared_exactly() -> None:
    test = cmh_test(*large_runs(100_000))

    assert test.method is PMethod.EXACT
    assert test.p == pytest.approx(corrected_drop_p(excess=test.excess, variance=test.variance), abs=1e-5)


@pytest.mark.check_all
def test_a_hundred_thousand_cases_are_compared_within_two_seconds() -> None:
    baseline, current = large_runs(100_000)
    start = process_time()

    cmh_test(baseline, current)

    assert process_time() - start < 2


def test_cutting_off_light_tails_leaves_the_p_value_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    baseline, current = large_runs(5_000, drop=0.01)
    uncut = exact_drop_p(baseline, current)
    monkeypatch.setattr(cmh, "CUT_WIDTH", 16)

    assert exact_drop_p(baseline, current) == pytest.approx(uncut, rel=1e-9)


def test_beyond_the_stated_size_the_normal_form_is_used_and_named() -> None:
    baseline, current = large_runs(300)

    test = cmh_test(baseline, current, exact_up_to=1.0)

    assert test.method is PMethod.NORMAL
    assert test.p == corrected_drop_p(excess=test.excess, variance=test.variance)


def test_a_total_collapse_has_the_smallest_p_value_that_is_reported() -> None:
    p = exact_drop_p(CaseCounts.of(n=10, c=[10] * 200), CaseCounts.of(n=10, c=[0] * 200))

    assert p == cmh.SMALLEST_P


def test_a_collapse_of_a_large_run_lies_in_the_tail_that_was_cut_off() -> None:
    p = exact_drop_p(CaseCounts.of(n=10, c=[10] * 900), CaseCounts.of(n=10, c=[0] * 900))

    assert p == cmh.SMALLEST_P
