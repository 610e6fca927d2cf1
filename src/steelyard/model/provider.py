"""Hold how a provider is reached: what the user says of it in `steelyard.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_SECONDS = 600.0  # for one call: reasoning models think for minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """Whom a model's name begins with, and how to reach it.

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
