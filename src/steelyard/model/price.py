"""Hold the price of a model's tokens, and the days on which it applies."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from steelyard.model.request import Usage

MILLION = 1_000_000
ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens of a model: of its prompt, and of its answer; and for each call.

    `model` is `provider/name`, and `provider/*` is every model of a provider. Tokens that come from a cache
    or go into one cost what the rest of the prompt does, and reasoning what the rest of the answer does,
    unless they have a price of their own. The price holds from the beginning of `starts` to the beginning
    of `until`, days in UTC; None is without end.
    """

    model: str
    input_usd: Decimal
    output_usd: Decimal
    cached_usd: Decimal | None = None
    cache_write_usd: Decimal | None = None
    reasoning_usd: Decimal | None = None
    call_usd: Decimal = Decimal(0)
    starts: date | None = None
    until: date | None = None
    max_tokens: int | None = None  # the model's limit, unless a request sets a lower one

    def covers(self, model: str, at: datetime) -> bool:
        """Whether this is the price of a model at a moment.

        >>> price = Price(model="lab/*", input_usd=Decimal(0), output_usd=Decimal(0), until=date(2026, 7, 1))
        >>> [price.covers("lab/a", datetime(2026, month, 1, tzinfo=UTC)) for month in (6, 7)]
        [True, False]
        """
        named = model.startswith(self.model[:-1]) if self.model.endswith(f"/{ANY}") else model == self.model
        day = at.astimezone(UTC).date()
        return (
            named and (self.starts is None or self.starts <= day) and (self.until is None or day < self.until)
        )

    def overlaps(self, other: "Price") -> bool:
        """Whether there is a day on which both are the price of the same model."""
        first, last = (self.starts or date.min, self.until or date.max)
        return self.model == other.model and (
            first < (other.until or date.max) and (other.starts or date.min) < last
        )

    def usd(self, usage: Usage) -> Decimal | None:
        """Return the cost in dollars; None when the number of tokens is unknown or impossible.

        >>> price = Price(model="m", input_usd=Decimal(3), output_usd=Decimal(15), cached_usd=Decimal("0.3"))
        >>> price.usd(Usage(tokens_in=1000, tokens_out=100, tokens_cached=800))
        Decimal('0.00234')
        """
        prompt, answer = usage.tokens_in, usage.tokens_out
        if prompt is None or answer is None:
            return None
        cached, written = usage.tokens_cached or 0, usage.tokens_cache_written or 0
        thought = usage.tokens_reasoning or 0
        fresh, text = prompt - cached - written, answer - thought
        if min(fresh, cached, written, text, thought) < 0:
            return None
        million_usd = (
            fresh * self.input_usd
            + cached * _own(self.cached_usd, self.input_usd)
            + written * _own(self.cache_write_usd, self.input_usd)
            + text * self.output_usd
            + thought * _own(self.reasoning_usd, self.output_usd)
        )
        return million_usd / MILLION + self.call_usd


def batch_price(nano_usd: int) -> int:
    """Return what a call costs in a batch: half of what it costs directly, rounded up.

    >>> batch_price(4), batch_price(5)
    (2, 3)
    """
    return (nano_usd + 1) // 2


def _own(price: Decimal | None, otherwise: Decimal) -> Decimal:
    return otherwise if price is None else price
