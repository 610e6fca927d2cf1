"""Hold what a user sets once for all runs: models, providers, prices, limits and what a gate requires."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.model.policy import GatePolicy
from steelyard.model.price import Price

MOST_SECONDS = 600.0  # for one call: reasoning models think for minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """A provider, which a model's name begins with, and how to reach it.

    `kind` is the adapter: a vendor's protocol such as `anthropic`, or `command`; by default the name itself.
    The key is never here: `api_key_env` names the environment variable that holds it.
    """

    name: str
    kind: str = ""
    base_url: str | None = None
    api_key_env: str | None = None
    timeout_s: float = MOST_SECONDS
    max_concurrency: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # what only one kind knows, such as a command

    @property
    def adapter(self) -> str:
        """The name of the adapter."""
        return self.kind or self.name


RETRIES = 5  # of one call


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """Default limits of a run, overridden by its command line; None: no limit."""

    max_nano_usd: int | None = None
    max_concurrency: int | None = None
    retries: int = RETRIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The content of `steelyard.toml`; empty when there is no such file."""

    models: tuple[str, ...] = ()
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    prices: tuple[Price, ...] = ()
    limits: RunLimits = field(default_factory=RunLimits)
    runs: str = "runs"  # where runs are kept
    gate: GatePolicy = field(default_factory=GatePolicy)
