"""Read numbers and amounts of money as a user writes them; an error names the parameter."""

from fractions import Fraction

from steelyard.errors import DomainError, UserError
from steelyard.metrics.exact import exact
from steelyard.model.units import NANO_USD, Number

__all__ = ["exact", "nano_usd", "number", "usd"]


def number(value: Number, *, name: str) -> Fraction:
    """Read one number exactly: 0.1 is one tenth."""
    try:
        return exact(value)
    except DomainError:
        raise UserError(f"`{name}`: expected a number, got {value!r}") from None


def nano_usd(value: Number, *, name: str) -> int:
    """Read an amount of US dollars as nano-dollars, rounded down: a cap is never widened.

    >>> nano_usd("0.25", name="max_usd")
    250000000
    """
    amount = number(value, name=name)
    if amount < 0:
        raise UserError(f"`{name}`: expected an amount of 0 or more, got {value!r}")
    return int(amount * NANO_USD)


def usd(value: Number, *, name: str) -> Fraction:
    """Read an amount of US dollars, to the nano-dollar.

    >>> usd("2.50", name="expert_usd")
    Fraction(5, 2)
    """
    return Fraction(nano_usd(value, name=name), NANO_USD)
