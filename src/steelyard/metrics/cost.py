"""Work out what answers cost, and what a pass costs.

Money is exact (fractions of a dollar, or whole nano-dollars); prices are given, never looked up.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact, exact_non_negative, exact_share
from steelyard.metrics.summaries import statistics
from steelyard.model.estimate import Reason
from steelyard.model.summary import CostOfPass, Statistics
from steelyard.model.units import NANO_USD, Number

TOKENS_PER_PRICE = 1_000_000
DIGITS = 50  # of the bound's logarithm; the subtraction from 1 takes one away for each power of ten in N


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """What a million tokens cost, in US dollars."""

    input_usd_per_million: Number
    output_usd_per_million: Number

    def __post_init__(self) -> None:
        """Refuse a negative price."""
        exact_non_negative(self.input_usd_per_million, "input price")
        exact_non_negative(self.output_usd_per_million, "output price")


# The worked table of the ProjectScylla metrics formulas page (seed 002): an example, not today's prices.
SEED_PRICES: Mapping[str, TokenPrice] = {
    "claude-opus-4.5": TokenPrice(input_usd_per_million=15, output_usd_per_million=75),
    "claude-sonnet-4": TokenPrice(input_usd_per_million=3, output_usd_per_million=15),
    "gpt-4o": TokenPrice(input_usd_per_million=5, output_usd_per_million=15),
}


def cost_usd(*, input_tokens: int, output_tokens: int, price: TokenPrice) -> Fraction:
    """Return the exact cost of a request in US dollars.

    (input_tokens * input_price + output_tokens * output_price) / 1,000,000; range [0, ∞).
    Source: ProjectScylla metrics formulas page (seed 002), cost.

    >>> float(cost_usd(input_tokens=1234, output_tokens=567, price=SEED_PRICES["claude-opus-4.5"]))
    0.061035
    """
    asked = exact_non_negative(input_tokens, "input_tokens") * exact(price.input_usd_per_million)
    answered = exact_non_negative(output_tokens, "output_tokens") * exact(price.output_usd_per_million)
    return (asked + answered) / TOKENS_PER_PRICE


def cost_nano_usd(*, input_tokens: int, output_tokens: int, price: TokenPrice) -> int:
    """Return the cost of a request in whole nano-dollars, halves to the even neighbour.

    round(cost_usd * 10**9); range [0, ∞). Source: as `cost_usd`.

    >>> cost_nano_usd(input_tokens=1, output_tokens=0, price=SEED_PRICES["gpt-4o"])
    5000
    """
    return round(cost_usd(input_tokens=input_tokens, output_tokens=output_tokens, price=price) * NANO_USD)


def cost_of_pass(*, cost: Number, pass_rate: Number) -> Fraction | None:
    """Return the expected cost of one pass, or None when it is infinite because nothing passes.

    cost / pass_rate; range [0, ∞].
    Source: ProjectScylla metrics formulas page (seed 002), cost of pass.

    >>> cost_of_pass(cost="0.50", pass_rate="0.8")
    Fraction(5, 8)
    >>> cost_of_pass(cost="0.50", pass_rate=0) is None
    True
    """
    spent, rate = exact_non_negative(cost, "cost"), exact_share(pass_rate, "pass_rate")
    return spent / rate if rate else None


def group_cost_of_pass(
    *, total_cost: Number, passes: int, samples: int, independent: int | None = None, level: Number = 0.95
) -> CostOfPass:
    """Return what a pass costs in a group of samples: the price of the portfolio, not a mean of prices.

    total_cost / passes; range [0, ∞]. Without a pass at least
    total_cost / samples / (1 - (1 - level)**(1/N)), one-sided, by the exact binomial bound at 0 of N.
    N is `independent`, the number of independent trials (the cases, when several samples share one),
    or else `samples`.
    Source: ProjectScylla metrics formulas page (seed 002) for the ratio, Clopper-Pearson 1934 for the bound.

    >>> group_cost_of_pass(total_cost="5.00", passes=8, samples=10).value
    0.625
    >>> group_cost_of_pass(total_cost="5.00", passes=0, samples=10)
    CostOfPass(value=None, infinite=True, lower_bound=1.931504590993531, interval=None)
    """
    if not 0 <= passes <= samples:
        raise DomainError(f"passes must lie between 0 and samples = {samples}, got {passes}")
    trials = samples if independent is None else independent
    if not min(samples, 1) <= trials <= samples:
        raise DomainError(f"independent must lie between 1 and samples = {samples}, got {independent}")
    spent, sure = exact_non_negative(total_cost, "total_cost"), exact_share(level, "level")
    if sure in {0, 1}:
        raise DomainError(f"level must lie strictly between 0 and 1, got {level}")
    if samples == 0:
        return CostOfPass(value=None)
    if passes == 0:
        bound = float(spent / samples / _highest_rate(trials, 1 - sure))
        return CostOfPass(value=None, infinite=True, lower_bound=bound)
    return CostOfPass(value=float(spent / passes))


def cost_of_pass_statistics(costs: Iterable[Number | None]) -> Statistics:
    """Return the seven numbers of several costs of a pass, of which some, given as None, are infinite.

    As `statistics`, with infinite ones above all others. What then is infinite is None, with the reason
    no_passes: the median if a middle value is, mean, largest and spread as soon as one is.
    Range: [0, ∞]. Source: ProjectScylla metrics formulas page (seed 002), aggregate statistics.

    >>> found = cost_of_pass_statistics(["0.50", None, "0.25"])
    >>> found.median, found.mean, found.min, found.max, found.reason.value
    (0.5, None, 0.25, None, 'no_passes')
    """
    numbers = list(costs)
    finite = sorted(exact_non_negative(cost, "cost") for cost in numbers if cost is not None)
    result, infinite = statistics(finite), len(numbers) - len(finite)
    if not infinite:
        return result
    middle = [finite[index] for index in {(len(numbers) - 1) // 2, len(numbers) // 2} if index < len(finite)]
    is_known = len(numbers) // 2 < len(finite)
    most_frequent = max(Counter(finite).values(), default=0)
    return replace(
        result,
        median=float(sum(middle, Fraction(0)) / len(middle)) if is_known else None,
        mean=None,
        mode=result.mode if most_frequent >= infinite else None,
        max=None,
        std_dev=None,
        count=len(numbers),
        reason=Reason.NO_PASSES,
    )


def cost_delta(costs: Iterable[Number]) -> Fraction | None:
    """Return the distance between the most and the least expensive, or None for no costs.

    max(costs) - min(costs); range [0, ∞).
    Source: ProjectScylla metrics formulas page (seed 002), cost delta.

    >>> cost_delta(["0.5", "1.25", "0.75"])
    Fraction(3, 4)
    """
    fractions = [exact_non_negative(cost, "cost") for cost in costs]
    return max(fractions) - min(fractions) if fractions else None


def _highest_rate(trials: int, chance: Fraction) -> Fraction:
    """Return the pass rate at which no pass in so many trials still has such a chance."""
    with localcontext(prec=DIGITS):
        missed = Decimal(chance.numerator) / chance.denominator
        return Fraction(1 - (missed.ln() / trials).exp())
