"""Turn the tables of `steelyard.toml` into records, and find what is wrong though every key is right."""

import re
from collections.abc import Iterator
from decimal import Decimal

from steelyard.model.config import Config, ProviderSettings, RunLimits
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.price import Price
from steelyard.model.units import NANO_USD
from steelyard.sources.config.shape import ConfigFile, GateTable, LimitsTable, PriceTable, ProviderTable
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def config_of(holds: ConfigFile) -> Config:
    """Return the records of a file."""
    return Config(
        models=holds.models,
        providers={name: _settings(name, table) for name, table in holds.providers.items()},
        prices=tuple(map(_price, holds.prices)),
        limits=_limits(holds.limits),
        runs=holds.run.out,
        gate=_policy(holds.gate),
    )


def _settings(name: str, table: ProviderTable) -> ProviderSettings:
    return ProviderSettings(
        name=name,
        kind=table.kind or "",
        base_url=table.base_url,
        api_key_env=table.api_key_env,
        timeout_s=table.timeout_secs,
        max_concurrency=table.max_concurrency,
        options=table.options,
    )


def _price(table: PriceTable) -> Price:
    return Price(
        model=table.model,
        input_usd=_decimal(table.input),
        output_usd=_decimal(table.output),
        cached_usd=None if table.cached is None else _decimal(table.cached),
        cache_write_usd=None if table.cache_write is None else _decimal(table.cache_write),
        reasoning_usd=None if table.reasoning is None else _decimal(table.reasoning),
        call_usd=_decimal(table.call),
        starts=table.from_,
        until=table.until,
        max_tokens=table.max_tokens,
    )


def _limits(table: LimitsTable) -> RunLimits:
    # Rounded down: a cap is never widened.
    most = None if table.max_usd is None else int(_decimal(table.max_usd) * NANO_USD)
    return RunLimits(max_nano_usd=most, max_concurrency=table.max_concurrency, retries=table.retries)


def _policy(table: GateTable) -> GatePolicy:
    required = [
        Requirement(
            metric=Metric(require_table.metric), suites=require_table.suites, margin=require_table.margin
        )
        for require_table in table.require
    ]
    return GatePolicy(requirements=tuple(required), critical=table.critical, history=table.history)


def _decimal(number: float) -> Decimal:
    """Return a number as it is written in the file: 0.15 is fifteen hundredths, exactly."""
    return Decimal(repr(number))


def contradictions(holds: ConfigFile) -> Iterator[tuple[KeyPath, str]]:
    """Find violated constraints between fields."""
    for index, model in enumerate(holds.models):
        if not _is_model(model):
            yield ("models", index), f"{quote(model)} is no model; name it provider/name"
    for name, provider in holds.providers.items():
        yield from _in_provider(name, provider)
    prices = [_price(table) for table in holds.prices]
    for index, price in enumerate(prices):
        yield from _in_price(price, ("prices", index), prices[:index])
    for index, required in enumerate(holds.gate.require):
        if (required.margin or 0) > 1 and not Metric(required.metric).is_relative:
            at = ("gate", "require", index, "margin")
            yield at, f"found {required.margin:g}, expected a margin up to 1: 0.05 is five points"


def _is_model(name: str) -> bool:
    provider, _, model = name.partition("/")
    return bool(provider and model)


def _in_provider(name: str, table: ProviderTable) -> Iterator[tuple[KeyPath, str]]:
    at = ("providers", name)
    if not name.strip() or name != name.strip() or "/" in name:
        yield (
            at,
            f"{quote(name)} is no name of a provider: it stands before the first slash of a model's name",
        )
    if table.base_url is not None and not table.base_url.startswith(("http://", "https://")):
        yield (
            (*at, "base_url"),
            f"found {quote(table.base_url)}, expected an address that begins with https://",
        )
    if table.api_key_env is not None and not _VARIABLE.fullmatch(table.api_key_env):
        # The value may be the key itself, so it is not shown.
        yield (
            (*at, "api_key_env"),
            "this is no name of an environment variable; put the key into one, and its name here",
        )


def _in_price(price: Price, at: KeyPath, earlier: list[Price]) -> Iterator[tuple[KeyPath, str]]:
    if not _is_model(price.model):
        yield (*at, "model"), f"{quote(price.model)} is no model; name it provider/name, or provider/*"
    if price.starts and price.until and price.until <= price.starts:
        yield (*at, "until"), f"the price of {quote(price.model)} ends on {price.until}, before it begins"
    elif any(price.overlaps(other) for other in earlier):
        yield (
            (*at, "model"),
            f"there already is a price of {quote(price.model)} for some of these days; part them by dates",
        )
