from collections.abc import Callable

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from statsmodels.stats.inter_rater import cohens_kappa

from steelyard.errors import DomainError
from steelyard.metrics.agreement import (
    MeasurementScale,
    agreement_interval,
    cohen_kappa,
    coincidences,
    confusion,
    krippendorff_alpha,
    prevalence,
)
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried

CATEGORIES = [1, 2, 3, 4, 5]
UNITS = st.lists(
    st.lists(st.sampled_from([*CATEGORIES, None]), min_size=3, max_size=3), min_size=2, max_size=15
)


# --- golden values and oracles ----------------------------------------------------------------------


@pytest.mark.parametrize("row", golden_rows("cohen_kappa"), ids=str)
def test_cohens_kappa_equals_the_golden_value(row: Row) -> None:
    kappa = cohen_kappa(row["table"])

    assert kappa == (None if row["value"] is None else pytest.approx(row["value"], rel=1e-12))


@pytest.mark.parametrize("row", golden_rows("krippendorff_nominal"), ids=str)
def test_krippendorffs_alpha_equals_the_golden_value(row: Row) -> None:
    categories = sorted({rating for unit in row["units"] for rating in unit if rating is not None})

    alpha = krippendorff_alpha(coincidences(row["units"], categories).sum(axis=0))

    assert alpha == (None if row["value"] is None else pytest.approx(row["value"], rel=1e-12))


@unhurried
@given(UNITS, st.sampled_from(list(MeasurementScale)))
def test_krippendorffs_alpha_agrees_with_the_krippendorff_package(
    units: list[list[int | None]], scale: MeasurementScale
) -> None:
    table = coincidences(units, CATEGORIES).sum(axis=0)

    alpha = krippendorff_alpha(table, scale=scale, values=CATEGORIES)

    seen = np.flatnonzero(table.sum(axis=0))
    if len(seen) < 2:
        assert alpha is None
    else:
        ratings = np.array(units, dtype=float).T
        expected = krippendorff.alpha(ratings, level_of_measurement=scale.value, value_domain=CATEGORIES)
        assert alpha == pytest.approx(expected, rel=1e-9, abs=1e-9)


@unhurried
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_cohens_kappa_agrees_with_statsmodels(table: list[list[int]]) -> None:
    kappa = cohen_kappa(table)

    if kappa is not None:
        assert kappa == pytest.approx(
            cohens_kappa(np.array(table), return_results=False), rel=1e-9, abs=1e-12
        )


# --- what must hold ---------------------------------------------------------------------------------


def test_the_confusion_matrix_adds_up_from_items() -> None:
    tables = confusion(["a", "b", "b"], ["a", "b", "a"], ["a", "b"])

    assert tables.shape == (3, 2, 2)
    assert tables.sum(axis=0).tolist() == [[1, 0], [1, 1]]


def test_high_agreement_with_low_kappa_shows_in_the_prevalence() -> None:
    table = [[90, 5], [5, 0]]
    kappa = cohen_kappa(table)

    found = prevalence(table)

    assert kappa is not None
    assert kappa < 0
    assert found.agreement == 0.9
    assert found.first == (0.95, 0.05)


def test_the_first_judge_is_in_the_rows_and_the_second_in_the_columns() -> None:
    found = prevalence([[20, 5], [10, 15]])

    assert (found.first, found.second) == ((0.5, 0.5), (0.6, 0.4))


def test_an_item_with_one_rating_counts_nothing() -> None:
    assert coincidences([[1, None], [None, None]], [1, 2]).sum() == 0


@unhurried
@given(UNITS)
def test_the_order_of_the_judges_does_not_matter(units: list[list[int | None]]) -> None:
    table = coincidences(units, CATEGORIES)

    assert np.allclose(coincidences([unit[::-1] for unit in units], CATEGORIES), table)


def test_ordinal_ratings_near_each_other_agree_better_than_nominal_ones() -> None:
    table = coincidences([[1, 2], [2, 3], [4, 5], [5, 4], [1, 1]], CATEGORIES).sum(axis=0)
    nominal, ordinal = krippendorff_alpha(table), krippendorff_alpha(table, scale=MeasurementScale.ORDINAL)

    assert nominal is not None
    assert ordinal is not None
    assert nominal < 0.1
    assert ordinal > 0.8


def test_perfect_agreement_has_the_alpha_one() -> None:
    table = coincidences([[1, 1], [2, 2]], [1, 2]).sum(axis=0)

    assert krippendorff_alpha(table) == 1


@pytest.mark.parametrize("values", [None, [1.0]])
def test_interval_ratings_need_values(values: list[float] | None) -> None:
    with pytest.raises(DomainError, match="category"):
        krippendorff_alpha([[1, 0], [0, 1]], scale=MeasurementScale.INTERVAL, values=values)


@pytest.mark.parametrize("table", [[[1, 2, 3], [1, 2, 3]], [[1, -1], [0, 1]], [1, 2]])
def test_what_is_no_table_of_counts_is_refused(table: ArrayLike) -> None:
    with pytest.raises(DomainError, match="square table"):
        cohen_kappa(table)


def test_no_items_have_no_prevalence() -> None:
    with pytest.raises(DomainError, match="item"):
        prevalence([[0, 0], [0, 0]])


# --- intervals --------------------------------------------------------------------------------------


def ratings(items: int, *, agreement: float) -> np.typing.NDArray[np.float64]:
    rng = np.random.default_rng(5)
    first = rng.integers(0, 3, items)
    second = np.where(rng.random(items) < agreement, first, rng.integers(0, 3, items))
    return confusion(first.tolist(), second.tolist(), [0, 1, 2])


def test_more_items_narrow_the_interval_of_kappa() -> None:
    widths = []
    for items in (50, 800):
        tables = ratings(items, agreement=0.7)
        interval = agreement_interval(tables, cohen_kappa, [str(item) for item in range(items)])
        kappa = cohen_kappa(tables.sum(axis=0))
        assert interval.low is not None
        assert interval.high is not None
        assert kappa is not None
        assert interval.low < kappa < interval.high
        widths.append(interval.high - interval.low)

    assert widths[1] == pytest.approx(widths[0] / 4, rel=0.25)


def test_an_agreement_that_is_mostly_undefined_has_no_bounds() -> None:
    tables = confusion([0, 0, 0, 1], [0, 0, 0, 1], [0, 1])

    interval = agreement_interval(tables, cohen_kappa, ["a", "b", "c", "d"])

    assert (interval.low, interval.high) == (None, None)


def counting(undefined: int) -> Callable[[object], float | None]:
    """Return a statistic that is undefined the first so many times, and then 0, 1, 2 and so on."""
    numbers = iter(range(-undefined, 1000))
    return lambda _: None if (number := next(numbers)) < 0 else float(number)


@pytest.mark.parametrize(
    ("level", "low", "high"),
    [(0.95, 2.475, 96.525), (0.9, 4.95, 94.05)],  # of 0 to 99: 99 times 2.5 % and 97.5 %, 5 % and 95 %
)
def test_an_interval_leaves_out_the_same_share_at_both_ends(level: float, low: float, high: float) -> None:
    tables = confusion([0, 1], [0, 1], [0, 1])

    found = agreement_interval(tables, counting(0), ["a", "b"], level=level, replicates=100)

    assert [found.low, found.high] == pytest.approx([low, high])


@pytest.mark.parametrize(("undefined", "is_bounded"), [(5, True), (6, False)])
def test_an_interval_needs_all_but_5_percent_of_the_replicates(undefined: int, *, is_bounded: bool) -> None:
    tables = confusion([0, 1], [0, 1], [0, 1])

    found = agreement_interval(tables, counting(undefined), ["a", "b"], replicates=100)

    assert (found.low is not None) == is_bounded


def test_one_item_on_which_judges_differ_has_a_kappa_of_zero() -> None:
    assert cohen_kappa([[0, 1], [0, 0]]) == 0
