"""Parse numbers and amounts of money; errors name the parameter."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction

from steelyard.errors import DomainError, UserError
from steelyard.metrics.exact import exact
from steelyard.model.price import Price
from steelyard.model.units import NANO_USD, Number

__all__ = ["Prices", "exact", "nano_usd", "number", "price_list", "usd"]

Prices = Mapping[str, tuple[Number, Number]] | Iterable[Price]  # model → USD per million tokens in and out


def number(value: Number, *, name: str) -> Fraction:
    """Read one number exactly: 0.1 is one tenth."""
    try:
        return exact(value)
    except DomainError:
        raise UserError(f"`{name}`: expected a number, got {value!r}") from None


def nano_usd(value: Number, *, name: str) -> int:
    """Convert US dollars to nano-dollars, rounded down: a budget must not grow.

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


def price_list(prices: Prices) -> tuple[Price, ...]:
    """Convert prices by model, pairs of US dollars per million tokens, to records."""
    if not isinstance(prices, Mapping):
        return tuple(prices)
    return tuple(
        Price(model=model, input_usd=_to_decimal(tokens_in), output_usd=_to_decimal(tokens_out))
        for model, (tokens_in, tokens_out) in prices.items()
    )


def _to_decimal(amount: Number) -> Decimal:
    fraction = number(amount, name="prices")
    return Decimal(fraction.numerator) / fraction.denominator
