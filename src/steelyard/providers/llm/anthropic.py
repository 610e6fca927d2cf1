"""Speak Anthropic's messages protocol."""

from collections.abc import Mapping

from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.profiles.anthropic import AnthropicModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import Body, Setup, Wanted, count, not_taken, total
from steelyard.providers.llm.provider import LlmProvider

# The library would drop the temperature for models that refuse it; the refusal is the vendor's to say.
SAY_ALL = AnthropicModelProfile(anthropic_disallows_sampling_settings=False)


class AnthropicDialect:
    """Messages. Without a limit the library asks for all that the model can write, and reads it in pieces."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._service = AnthropicProvider(
            api_key=setup.access.key, base_url=setup.access.url, http_client=setup.http
        )
        self._service.client.max_retries = 0  # every call is counted and paid for by us

    def model(self, name: str) -> Model:
        """Return the client library's model of a name."""
        return AnthropicModel(name, provider=self._service, profile=SAY_ALL)

    def settings(self, parameters: Parameters) -> ModelSettings:
        """Return the parameters; there is no seed here."""
        if parameters.seed is not None:
            raise not_taken(self._setup.name, "seed")
        fields = {"temperature": parameters.temperature, "top_p": parameters.top_p}
        body = {**self._setup.extra, **{name: value for name, value in fields.items() if value is not None}}
        settings = ModelSettings(extra_body=body) if body else ModelSettings()
        if parameters.max_tokens is not None:
            settings["max_tokens"] = parameters.max_tokens
        return settings

    def wanted(self, parameters: Parameters) -> Wanted:
        """Return which fields must be in the body."""
        fields = {(name,): getattr(parameters, name) for name in ("temperature", "top_p", "max_tokens")}
        return {path: value for path, value in fields.items() if value is not None}

    def usage(self, body: Body | None, details: Mapping[str, int]) -> Usage:
        """Return the tokens; the vendor counts what was cached apart from the rest of the prompt."""
        thinking = {"thinking_tokens": details.get("thinking_tokens")}
        said = body if body is not None else {"usage": {**details, "output_tokens_details": thinking}}
        fresh = count(said, "usage", "input_tokens")
        cached = count(said, "usage", "cache_read_input_tokens")
        written = count(said, "usage", "cache_creation_input_tokens")
        return Usage(
            tokens_in=None if fresh is None else total(fresh, cached, written),
            tokens_out=count(said, "usage", "output_tokens"),
            tokens_cached=cached,
            tokens_cache_written=written,
            tokens_reasoning=count(said, "usage", "output_tokens_details", "thinking_tokens"),
        )

    def cost_nano_usd(self, body: Body | None) -> int | None:  # noqa: ARG002  # the seam's signature
        """Return None: the vendor does not say."""
        return None


def anthropic_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider that speaks this protocol; it has no use for the sandbox."""
    del sandbox
    return LlmProvider(settings, AnthropicDialect)
