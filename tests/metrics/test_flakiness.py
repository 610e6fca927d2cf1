from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.flakiness import flaky_fraction, flip_rate, intraclass_correlation
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import runs, unhurried


@pytest.mark.parametrize("row", golden_rows("flakiness"), ids=str)
def test_flakiness_equals_the_golden_values(row: Row) -> None:
    counts = CaseCounts.of(n=row["n"], c=row["c"])

    correlation = intraclass_correlation(counts)

    assert flip_rate(counts) == pytest.approx(row["flip_rate"], rel=1e-12, abs=1e-15)
    assert flaky_fraction(counts) == row["flaky_fraction"]
    assert correlation == (None if row["icc"] is None else pytest.approx(row["icc"], rel=1e-12))


@unhurried
@given(runs())
def test_the_flip_rate_counts_the_pairs_that_differ(counts: CaseCounts) -> None:
    if counts.n.min() < 2:
        assert flip_rate(counts) is None
        return
    shares = []
    for n, c in zip(counts.n.tolist(), counts.c.tolist(), strict=True):
        pairs = list(combinations([1] * c + [0] * (n - c), 2))
        shares.append(sum(a != b for a, b in pairs) / len(pairs))

    assert flip_rate(counts) == pytest.approx(np.mean(shares), abs=1e-12)


@unhurried
@given(runs())
def test_the_intraclass_correlation_is_at_most_one(counts: CaseCounts) -> None:
    correlation = intraclass_correlation(counts)

    assert correlation is None or correlation <= 1 + 1e-9


def test_the_intraclass_correlation_of_unequal_samples_is_that_of_the_anova() -> None:
    counts = CaseCounts.of(n=[4, 2, 6], c=[3, 0, 5])
    values = [[1, 1, 1, 0], [0, 0], [1, 1, 1, 1, 1, 0]]
    mean = np.mean([x for case in values for x in case])
    between = sum(len(case) * (np.mean(case) - mean) ** 2 for case in values) / 2
    within = sum(np.var(case) * len(case) for case in values) / 9
    typical = (12 - (16 + 4 + 36) / 12) / 2

    expected = (between - within) / (between + (typical - 1) * within)

    assert intraclass_correlation(counts) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("counts", [CaseCounts.of(n=5, c=[3]), CaseCounts.of(n=1, c=[1, 0])])
def test_one_case_or_one_sample_shows_no_correlation(counts: CaseCounts) -> None:
    assert intraclass_correlation(counts) is None


def test_without_cases_nothing_is_flaky_or_steady() -> None:
    empty = CaseCounts.of(n=[], c=[])

    assert flip_rate(empty) is None
    assert flaky_fraction(empty) is None


def test_two_cases_that_repeat_themselves_and_differ_have_a_correlation_of_one() -> None:
    assert intraclass_correlation(CaseCounts.of(n=2, c=[2, 0])) == 1
