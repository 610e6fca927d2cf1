"""Look up prices in `genai-prices`, under the vendor's exact name.

The only import of that library, which is loaded on first use because it is slow.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from steelyard.model.price import Price
from steelyard.model.request import Usage

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider, TieredPrices

    Rate = Decimal | TieredPrices | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryPrice:
    """A model's prices by prompt length."""

    bands: tuple[tuple[int, Price], ...]
    max_tokens: int | None = None  # the list has no maximum length of answers

    def usd(self, usage: Usage) -> Decimal | None:
        """Return the cost in USD; None if the token counts are unknown or inconsistent."""
        prompt = usage.tokens_in or 0
        # The first band starts below 0, so one always matches.
        return next(price for start, price in reversed(self.bands) if prompt > start).usd(usage)


def library_price(vendor: str, name: str, at: datetime) -> LibraryPrice | None:
    """Return the price of a vendor's model at a time; None if it is not listed."""
    model = _find_model(vendor, name)
    if model is None:
        return None
    theirs = model.get_prices(at)
    # Models priced by the hour, or for prompts only, have no known price of answers.
    if theirs.input_mtok is None or theirs.output_mtok is None:
        return None
    starts = (-1, *sorted({start for rate in vars(theirs).values() for start in _list_starts(rate)}))
    return LibraryPrice(
        bands=tuple((start, _find_band(f"{vendor}/{name}", theirs, start)) for start in starts)
    )


def library_models(vendor: str) -> tuple[str, ...]:
    """Return the listed model names of a vendor."""
    provider = _find_provider(vendor)
    return () if provider is None else tuple(model.id for model in provider.models)


@cache
def _find_model(vendor: str, name: str) -> "ModelInfo | None":
    provider = _find_provider(vendor)
    return None if provider is None else provider.find_model(name, all_providers=_load_providers())


def _find_provider(vendor: str) -> "Provider | None":
    # The library's own search matches names that only resemble a vendor's.
    return next((provider for provider in _load_providers() if provider.id == vendor), None)


def _load_providers() -> "list[Provider]":
    try:
        from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415  # see above
    except ImportError:
        return []
    return get_snapshot().providers


def _list_starts(rate: object) -> list[int]:
    return [tier.start for tier in getattr(rate, "tiers", ())]


def _find_band(model: str, theirs: "ModelPrice", start: int) -> Price:
    """Return the prices of prompts above `start` tokens."""
    fee = _parse_rate(theirs.requests_kcount, start)
    return Price(
        model=model,
        input_usd=_parse_rate(theirs.input_mtok, start) or Decimal(0),
        output_usd=_parse_rate(theirs.output_mtok, start) or Decimal(0),
        cached_usd=_parse_rate(theirs.cache_read_mtok, start),
        cache_write_usd=_parse_rate(theirs.cache_write_mtok, start),
        reasoning_usd=_parse_rate(theirs.output_reasoning_mtok, start),
        call_usd=Decimal(0) if fee is None else fee / 1000,
    )


def _parse_rate(rate: "Rate", start: int) -> Decimal | None:
    if rate is None or isinstance(rate, Decimal):
        return rate
    reached = [tier.price for tier in rate.tiers if tier.start <= start]
    return reached[-1] if reached else rate.base
