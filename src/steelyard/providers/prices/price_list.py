"""Look up prices: the user's own, then the list of `genai-prices`.

Other prices are unknown, never 0 or another model's. The list ships with the library; nothing is fetched.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from difflib import get_close_matches
from itertools import product

from steelyard.model.config import ProviderSettings
from steelyard.model.price import Price
from steelyard.model.request import Request, Usage
from steelyard.model.units import NANO_USD
from steelyard.providers.prices.library import LibraryPrice, library_models, library_price

DEFAULT_MAX_TOKENS = 32_000  # longest answer, if neither request nor price sets it
MESSAGE_BYTES = 256  # allowance for what providers add to a prompt
NEAR = 0.8  # similarity of names, from 0 to 1
FILE_BYTES = 64  # added around each file, besides its name and fence
LISTED_AS = {"openai-responses": "openai"}  # another protocol of the same vendor


class PriceList:
    """Prices of tokens; the first matching price counts.

    `providers` maps the user's names to vendors. A custom name with its own `base_url` is not the vendor, so
    its prices are unknown.
    """

    def __init__(
        self, overrides: Sequence[Price] = (), *, providers: Mapping[str, ProviderSettings] | None = None
    ) -> None:
        self._overrides = tuple(overrides)
        self._providers = providers or {}

    def knows(self, model: str, at: datetime) -> bool:
        """Whether the price of a model is known."""
        return self._price(model, at) is not None

    def near_name(self, model: str) -> str:
        """Return the most similar name of a priced model; empty if none is similar.

        >>> stated = Price(model="lab/qwen3-coder", input_usd=Decimal(0), output_usd=Decimal(0))
        >>> PriceList([stated]).near_name("lab/qwen3-codr"), PriceList([stated]).near_name("lab/x")
        ('lab/qwen3-coder', '')
        """
        provider = model.partition("/")[0]
        vendor = self._vendor(provider)
        listed = () if vendor is None else (f"{provider}/{name}" for name in library_models(vendor))
        known = {*(price.model for price in self._overrides), *listed} - {model}
        return next(iter(get_close_matches(model, sorted(known), n=1, cutoff=NEAR)), "")

    def cost_nano_usd(self, model: str, usage: Usage, at: datetime) -> int | None:
        """Return the cost of a call, rounded half-even once; None if price or tokens are unknown.

        >>> from datetime import UTC
        >>> stated = Price(model="lab/m", input_usd=Decimal("0.15"), output_usd=Decimal("0.60"))
        >>> used = Usage(tokens_in=7, tokens_out=3)
        >>> PriceList([stated]).cost_nano_usd("lab/m", used, datetime(2026, 1, 1, tzinfo=UTC))
        2850
        """
        price = self._price(model, at)
        usd = None if price is None else price.usd(usage)
        return None if usd is None else _nano(usd, ROUND_HALF_EVEN)

    def ceiling_nano_usd(
        self, request: Request, at: datetime, default_max_tokens: int = DEFAULT_MAX_TOKENS
    ) -> int | None:
        """Return the highest cost of one call, to reserve it; None if the price is unknown.

        A prompt has at most one token per byte; an answer has at most the request's `max_tokens`, that of
        the price, or the default. The prompt is priced at the highest of its input, cache-read and
        cache-write rates.
        """
        price = self._price(request.key.model, at)
        if price is None:
            return None
        answer = request.parameters.max_tokens or price.max_tokens or default_max_tokens
        prompt = _count_bytes(request)
        ways = product((0, prompt), (0, prompt), (0, answer))  # cache-read, cache-write, reasoning tokens
        costs = [
            price.usd(
                Usage(
                    tokens_in=prompt,
                    tokens_out=answer,
                    tokens_cached=cached,
                    tokens_cache_written=written,
                    tokens_reasoning=thought,
                )
            )
            for cached, written, thought in ways
        ]
        return max(_nano(cost, ROUND_CEILING) for cost in costs if cost is not None)

    def _price(self, model: str, at: datetime) -> Price | LibraryPrice | None:
        stated = next((price for price in self._overrides if price.covers(model, at)), None)
        if stated is not None:
            return stated
        provider, _, name = model.partition("/")
        vendor = self._vendor(provider)
        return None if vendor is None else library_price(vendor, name, at)

    def _vendor(self, provider: str) -> str | None:
        """Return the vendor for a provider's prices, or None."""
        settings = self._providers.get(provider, ProviderSettings(name=provider))
        is_itself = settings.adapter == provider or settings.base_url is None or settings.adapter == "azure"
        return LISTED_AS.get(settings.adapter, settings.adapter) if is_itself else None


def _nano(usd: Decimal, rounding: str) -> int:
    return int((usd * NANO_USD).to_integral_value(rounding=rounding))


def _count_bytes(request: Request) -> int:
    """Return an upper bound of a prompt's bytes with any provider."""
    texts = [request.system_prompt, request.prompt]
    for name, text in request.context.items():
        texts += [name, text, 2 * text.count("`") * "`"]  # a fence is longer than any in the file
    around = MESSAGE_BYTES + FILE_BYTES * len(request.context)
    return around + sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
