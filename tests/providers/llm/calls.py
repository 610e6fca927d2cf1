"""Make a provider of each kind and ask it, as the engine would."""

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.plugins import PROVIDERS, load
from steelyard.providers.llm.provider import LlmProvider
from tests.fake_providers.server import VendorServer

KEY = "sk-do-not-repeat-me"
KEY_NAME = "STEELYARD_TEST_KEY"
MODELS = {
    "openai": "gpt-5.5",
    "openai-responses": "gpt-5.5-pro",
    "anthropic": "claude-opus-4-8",
    "google": "gemini-3-pro",
}
OTHERS = {"openrouter": "meta/llama-4", "azure": "gpt-5.5", "vllm": "qwen3-coder", "ollama": "llama4"}
LIMITED = Parameters(max_tokens=1000)  # else Anthropic's library reads the answer in pieces


def request(
    vendor: str, *, prompt: str = "say this", parameters: Parameters = LIMITED, **more: object
) -> Request:
    key = SampleKey(f"{vendor}/{(MODELS | OTHERS)[vendor]}", "T0", "default", "case", "digest", 0)
    return Request(key=key, prompt=prompt, parameters=parameters, **more)  # type: ignore[arg-type]  # its own fields


def settings(
    server: VendorServer, vendor: str, *, timeout_s: float = 20.0, options: Mapping[str, str] | None = None
) -> ProviderSettings:
    return ProviderSettings(
        name=vendor,
        base_url=server.url(vendor),
        api_key_env=KEY_NAME,
        timeout_s=timeout_s,
        options=options or {},
    )


def llm_provider(chosen: ProviderSettings) -> LlmProvider:
    """Return the provider that the table of plug-ins names for these settings."""
    make = cast(
        "Callable[[ProviderSettings], LlmProvider]", load(PROVIDERS, chosen.adapter, group="providers")
    )
    return make(chosen)


def asked(chosen: ProviderSettings, *requests: Request) -> list[Reply | ProviderError]:
    """Ask one after the other, and return what came of each."""

    async def ask() -> list[Reply | ProviderError]:
        provider = llm_provider(chosen)
        results: list[Reply | ProviderError] = []
        try:
            for one in requests:
                try:
                    results.append(await provider.generate(one))
                except ProviderError as error:
                    results.append(error)
        finally:
            await provider.close()
        return results

    return asyncio.run(ask())


def replied(chosen: ProviderSettings, one: Request) -> Reply:
    [result] = asked(chosen, one)
    assert isinstance(result, Reply), result
    return result


def failed(chosen: ProviderSettings, one: Request) -> ProviderError:
    [result] = asked(chosen, one)
    assert isinstance(result, ProviderError), result
    return result
