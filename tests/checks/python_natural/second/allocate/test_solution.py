from decimal import Decimal as D
from fractions import Fraction

import pytest

from solution import allocate


def cents(*values):
    return [D(v).scaleb(-2) for v in values]


@pytest.mark.parametrize(
    "amount, ratios, expected",
    [
        (D("100"), [1, 1], [D("50.00"), D("50.00")]),
        (D("0.05"), [1, 1], cents(3, 2)),
        (D("10.00"), [1, 1, 1], cents(334, 333, 333)),
        (D("0.02"), [1, 1, 1], cents(1, 1, 0)),
        (D("1.00"), [7, 2, 2], cents(64, 18, 18)),
        (D("5.00"), [0, 1], cents(0, 500)),
        (D("-10.00"), [1, 1, 1], cents(-334, -333, -333)),
        (D("0"), [3, 4], cents(0, 0)),
    ],
)
def test_allocate(amount, ratios, expected):
    assert allocate(amount, ratios) == expected


@pytest.mark.parametrize("ratios", [[1, 1, 1], [50, 30, 20], [1, 2, 3, 4, 5, 6, 7], [1, 0, 999]], ids=str)
def test_nothing_is_lost(ratios):
    for amount in map(D, ("0.01", "99.99", "12345.67", "-0.07")):
        shares = allocate(amount, ratios)
        assert sum(shares) == amount
        for share, ratio in zip(shares, ratios):
            exact = Fraction(amount) * ratio / sum(ratios)
            assert abs(Fraction(share) - exact) < Fraction(1, 100)


@pytest.mark.parametrize("ratios", [[], [0, 0], [1, -1, 2]])
def test_bad_ratios(ratios):
    with pytest.raises(ValueError):
        allocate(D("1.00"), ratios)


def test_fraction_of_a_cent():
    with pytest.raises(ValueError, match="cent"):
        allocate(D("1.005"), [1])
