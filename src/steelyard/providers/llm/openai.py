"""Speak the chat-completions protocol: OpenAI, Azure, OpenRouter and compatible services."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from openai import AsyncOpenAI
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.azure import AzureProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider
from pydantic_ai.providers.vllm import VLLMProvider
from pydantic_ai.settings import ModelSettings

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import Body, Setup, Wanted, count
from steelyard.providers.llm.provider import LlmProvider

NANO = 1_000_000_000
NO_RETRIES = 0  # every call is counted and paid for by us
PROVIDERS: Mapping[str, Callable[..., Provider[AsyncOpenAI]]] = {
    "openai": OpenAIProvider,
    "openrouter": OpenRouterProvider,
    "ollama": OllamaProvider,
    "vllm": VLLMProvider,
}
# OpenAI itself calls the limit `max_completion_tokens`; every other service as `max_tokens`.
ELSEWHERE = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)


class OpenAiDialect:
    """Chat completions; the model's own name is all that differs between calls."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._service = _service(setup)
        self._is_own = setup.access.kind in {"openai", "azure"} and not setup.access.is_foreign

    def model(self, name: str) -> Model:
        """Return the client library's model of a name."""
        if isinstance(self._service, OpenRouterProvider):
            return OpenRouterModel(name, provider=self._service)
        return OpenAIChatModel(name, provider=self._service, profile=None if self._is_own else ELSEWHERE)

    def settings(self, parameters: Parameters) -> ModelSettings:
        """Return the parameters, each in the body: the library drops some that it thinks a model refuses."""
        fields = {name: getattr(parameters, name) for name in ("temperature", "top_p", "seed")}
        body = {**self._setup.extra, **{name: value for name, value in fields.items() if value is not None}}
        settings = ModelSettings(extra_body=body) if body else ModelSettings()
        if parameters.max_tokens is not None:
            settings["max_tokens"] = parameters.max_tokens
        return settings

    def wanted(self, parameters: Parameters) -> Wanted:
        """Return which fields must be in the body; the library sends the limit by one of its two names."""
        fields = {(name,): getattr(parameters, name) for name in ("temperature", "top_p", "seed")}
        return {path: value for path, value in fields.items() if value is not None}

    def usage(self, body: Body | None, details: Mapping[str, int]) -> Usage:  # noqa: ARG002  # never in pieces
        """Return the tokens: the prompt with what was cached, the answer with reasoning."""
        return Usage(
            tokens_in=count(body, "usage", "prompt_tokens"),
            tokens_out=count(body, "usage", "completion_tokens"),
            tokens_cached=count(body, "usage", "prompt_tokens_details", "cached_tokens"),
            tokens_cache_written=count(body, "usage", "prompt_tokens_details", "cache_write_tokens"),
            tokens_reasoning=count(body, "usage", "completion_tokens_details", "reasoning_tokens"),
        )

    def cost_nano_usd(self, body: Body | None) -> int | None:
        """Return what OpenRouter reports as charged; no other service reports it."""
        usage = (body or {}).get("usage") or {}
        if self._setup.access.kind != "openrouter" or usage.get("cost") is None:
            return None
        try:
            return round(Decimal(str(usage["cost"])) * NANO)
        except (InvalidOperation, OverflowError, ValueError) as wrong:
            raise ValueError(f"`usage.cost` should be an amount of money, is {usage['cost']!r}") from wrong


def _service(setup: Setup) -> Provider[AsyncOpenAI]:
    access = setup.access
    if access.kind == "azure":
        service = AzureProvider(
            azure_endpoint=access.url,
            api_version=setup.options.get("api_version"),
            api_key=access.key,
            http_client=setup.http,
        )
        service.client.max_retries = NO_RETRIES
        return service
    client = AsyncOpenAI(
        base_url=access.url, api_key=access.key, http_client=setup.http, max_retries=NO_RETRIES
    )
    if access.is_foreign:
        return OpenAICompatibleProvider(setup.name, openai_client=client)
    return PROVIDERS[access.kind](openai_client=client)


def openai_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider that speaks this protocol; it has no use for the sandbox."""
    del sandbox
    return LlmProvider(settings, OpenAiDialect)
