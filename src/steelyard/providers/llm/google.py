"""Speak Gemini's protocol, `generateContent`."""

from collections.abc import Mapping
from typing import cast

from google.genai.client import Client
from google.genai.types import HttpOptions, HttpRetryOptions
from pydantic_ai.models import Model
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import Body, Setup, Wanted, count, total
from steelyard.providers.llm.provider import LlmProvider

NAMES = {
    "temperature": "temperature",
    "top_p": "topP",
    "max_tokens": "maxOutputTokens",
    "seed": "seed",
}


class GoogleDialect:
    """Gemini with a key; fields whose number is 0 are left out by the vendor."""

    def __init__(self, setup: Setup) -> None:
        options = HttpOptions(
            base_url=setup.access.url,
            httpx_async_client=setup.http,
            timeout=int(setup.timeout_s * 1000),
            retry_options=HttpRetryOptions(attempts=1),  # every call is counted and paid for by us
            extra_body=dict(setup.extra) or None,
        )
        self._service = GoogleProvider(
            client=Client(vertexai=False, api_key=setup.access.key, http_options=options)
        )

    def model(self, name: str) -> Model:
        """Return the client library's model of a name."""
        return GoogleModel(name, provider=self._service)

    def settings(self, parameters: Parameters) -> ModelSettings:
        """Return the parameters that are set."""
        fields = {name: getattr(parameters, name) for name in NAMES}
        return cast("ModelSettings", {name: value for name, value in fields.items() if value is not None})

    def wanted(self, parameters: Parameters) -> Wanted:
        """Return which fields must be in the body."""
        fields = {("generationConfig", NAMES[name]): getattr(parameters, name) for name in NAMES}
        return {path: value for path, value in fields.items() if value is not None}

    def usage(self, body: Body | None, details: Mapping[str, int]) -> Usage:  # noqa: ARG002  # never in pieces
        """Return the tokens; the vendor counts thoughts apart from the rest of the answer."""
        if body is None or not (body.get("candidates") or body.get("promptFeedback")):
            raise ValueError("there is neither an answer (`candidates`) nor a refusal (`promptFeedback`)")
        asked = count(body, "usageMetadata", "promptTokenCount")
        thoughts = count(body, "usageMetadata", "thoughtsTokenCount")
        written = total(count(body, "usageMetadata", "candidatesTokenCount"), thoughts)
        everything = count(body, "usageMetadata", "totalTokenCount")
        if written is None and asked is not None and everything is not None:
            written = everything - asked
        return Usage(
            tokens_in=asked,
            tokens_out=written,
            tokens_cached=count(body, "usageMetadata", "cachedContentTokenCount"),
            tokens_reasoning=thoughts,
        )

    def cost_nano_usd(self, body: Body | None) -> int | None:  # noqa: ARG002  # the seam's signature
        """Return None: the vendor does not say."""
        return None


def google_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider that speaks this protocol; it has no use for the sandbox."""
    del sandbox
    return LlmProvider(settings, GoogleDialect)
