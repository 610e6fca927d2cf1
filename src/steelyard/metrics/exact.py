"""Read numbers as exact fractions, and weigh them.

Every formula that is compared with a threshold goes through here; nothing in this module rounds.
"""

import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from reprlib import repr as shortened

from steelyard.errors import DomainError
from steelyard.model.units import Number

LARGEST = Fraction(sys.float_info.max)

# Expanding 1e999999999 into an integer would take minutes; every float lies well within this power of ten.
MAX_POWER_OF_TEN = 400


def exact(number: Number) -> Fraction:
    """Return a number as the fraction its shortest decimal form stands for, so 0.1 means 1/10.

    Range: every finite number a float can hold; NaN, infinities and larger numbers are refused.
    Why: doubles hold 0.1 only nearly, so 0.9 - 0.85 > 0.05 and 0.3 + 0.35 < 0.65 there.

    >>> exact(0.1), exact("0.3") + exact(0.35), exact("1/3")
    (Fraction(1, 10), Fraction(13, 20), Fraction(1, 3))
    """
    try:
        fraction = _fraction(number)
    except (ValueError, ArithmeticError):
        raise DomainError(f"expected a finite number, got {shortened(number)}") from None
    if abs(fraction) > LARGEST:
        raise DomainError(f"expected a number no larger than {sys.float_info.max}, got a larger one")
    return fraction


def _fraction(number: Number) -> Fraction:
    if isinstance(number, float):
        number = float.__repr__(number)  # numpy's float is a float, but its own repr is no number
    if isinstance(number, str):
        number = Fraction(number) if "/" in number else Decimal(number)
    if isinstance(number, Decimal) and number and abs(number.adjusted()) > MAX_POWER_OF_TEN:
        raise OverflowError
    return Fraction(number)


def exact_non_negative(number: Number, name: str) -> Fraction:
    """Return a number exactly, or refuse one below 0 by its name. Range: [0, ∞).

    >>> exact_non_negative("2.5", "cost")
    Fraction(5, 2)
    """
    fraction = exact(number)
    if fraction < 0:
        raise DomainError(f"{name} must not be negative, got {number}")
    return fraction


def exact_share(number: Number, name: str) -> Fraction:
    """Return a number exactly, or refuse one outside [0, 1] by its name. Range: [0, 1].

    >>> exact_share(0.85, "impl_rate")
    Fraction(17, 20)
    """
    fraction = exact(number)
    if not 0 <= fraction <= 1:
        raise DomainError(f"{name} must lie between 0 and 1, got {number}")
    return fraction


def exact_weights(weights: Mapping[str, Number]) -> dict[str, Fraction]:
    """Return weights exactly; refuse a negative one and weights that sum to 0. Range: each in [0, ∞).

    >>> exact_weights({"pass": 0.5, "impl": 2})
    {'pass': Fraction(1, 2), 'impl': Fraction(2, 1)}
    """
    fractions = {name: exact_non_negative(weight, f"weight {name!r}") for name, weight in weights.items()}
    if not any(fractions.values()):
        raise DomainError(f"the weights of {', '.join(sorted(weights)) or 'nothing'} sum to 0")
    return fractions


def weighted_mean(values: Mapping[str, Fraction], weights: Mapping[str, Number]) -> Fraction:
    """Return sum(value * weight) / sum(weight) over the values that are there.

    A value left out takes its weight with it, so the range stays that of the values.
    Source: ProjectScylla metrics formulas page (seed 002), composite score.

    >>> weighted_mean({"pass": Fraction(1), "impl": Fraction(1, 2)}, {"pass": 3, "impl": 1})
    Fraction(7, 8)
    """
    used = exact_weights({name: weights[name] for name in values})
    return sum((values[name] * used[name] for name in used), Fraction(0)) / sum(used.values())
