# --- prompt
# `third(number)` returns a third of a Decimal, in the current decimal context.
# --- right
from decimal import Decimal


def third(number):
    return Decimal(number) / 3
# --- wrong
from decimal import Decimal


def third(number):
    return Decimal(round(float(number) / 3, 4))
# --- tests
import decimal

from solution import third


def test_context():
    with decimal.localcontext() as context:
        context.prec = 4
        assert third(1) == decimal.Decimal("0.3333")
        context.prec = 7
        assert third(1) == decimal.Decimal("0.3333333")
