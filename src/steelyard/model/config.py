"""Hold what a user says once for all runs: models, providers, prices, limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.model.price import Price
from steelyard.model.provider import ProviderSettings

RETRIES = 5  # of one call


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What a run may use, unless its command line says otherwise; None is without limit."""

    max_nano_usd: int | None = None
    max_concurrency: int | None = None
    retries: int = RETRIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What stands in `steelyard.toml`; an empty one when there is no such file."""

    models: tuple[str, ...] = ()
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    prices: tuple[Price, ...] = ()
    limits: RunLimits = field(default_factory=RunLimits)
    runs: str = "runs"  # where runs are kept
