"""Implement the chat-completions protocol: OpenAI, Azure, OpenRouter and compatible services."""

import os
from decimal import Decimal, InvalidOperation
from urllib.parse import quote

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import (
    Body,
    NeverStreamed,
    ParsedReply,
    Post,
    Setup,
    count,
    given,
    texts,
    with_files,
)
from steelyard.providers.llm.provider import LlmProvider

NANO = 1_000_000_000
API_VERSION = "OPENAI_API_VERSION"
# Cached tokens; a gateway to Anthropic counts them only in the total.
CACHED_APART = ("cache_read_input_tokens", "cache_creation_input_tokens")
FINISHED = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_calls": "tool_call",
    "function_call": "tool_call",
    "error": "error",
}


class OpenAiDialect(NeverStreamed):
    """Chat completions."""

    def __init__(self, setup: Setup) -> None:
        """Find the address; raises UserError if Azure's version is missing."""
        access = setup.access
        self._extra, self._kind = setup.extra, access.kind
        self._url = f"{access.url.rstrip('/')}/chat/completions"
        self.headers = {"Authorization": f"Bearer {access.key}"}
        if self._kind == "azure":
            self.headers = {"api-key": access.key}
            self._url = _azure_url(setup)
        # OpenAI itself calls the limit `max_completion_tokens`; every other service as `max_tokens`.
        is_own = self._kind in {"openai", "azure"} and not access.is_foreign
        self._limit = "max_completion_tokens" if is_own else "max_tokens"

    def post(self, request: Request) -> Post:
        """Encode the messages and the given parameters."""
        parameters = request.parameters
        system = [{"role": "system", "content": request.system_prompt}] if request.system_prompt else []
        prompt = {"role": "user", "content": with_files(request.prompt, request.context)}
        fields = given(temperature=parameters.temperature, top_p=parameters.top_p, seed=parameters.seed)
        limit = given(**{self._limit: parameters.max_tokens})
        body = {"model": request.model_name, "messages": [*system, prompt], **self._extra, **fields, **limit}
        url = self._url.replace("{model}", quote(request.model_name, safe=""))
        return Post(url=url, headers=self.headers, body=body)

    def parse_reply(self, body: Body) -> ParsedReply:
        """Parse a reply: the first choice, without reasoning."""
        if not body.get("choices"):
            raise ValueError("no answer (`choices`)")
        choice = body["choices"][0]
        message = choice["message"]
        refusal, content = message.get("refusal"), message.get("content")
        text = content if isinstance(content, str) else texts(content or [], of="content")
        finish = FINISHED.get(choice.get("finish_reason") or "")
        return ParsedReply(
            text=text or str(refusal or ""),
            finish_reason="content_filter" if refusal else finish,
            usage=parse_usage(body),
            cost_nano_usd=self._cost_nano_usd(body),
            id=body.get("id"),
        )

    def _cost_nano_usd(self, body: Body) -> int | None:
        """Return the cost that OpenRouter reports; other services report none."""
        usage = body.get("usage") or {}
        if self._kind != "openrouter" or usage.get("cost") is None:
            return None
        try:
            return round(Decimal(str(usage["cost"])) * NANO)
        except (InvalidOperation, OverflowError, ValueError) as wrong:
            raise ValueError(f"`usage.cost`: expected an amount of money, got {usage['cost']!r}") from wrong


def parse_usage(body: Body) -> Usage:
    """Return the tokens: the prompt includes cached ones, the answer includes reasoning."""
    return Usage(
        tokens_in=count(body, "usage", "prompt_tokens"),
        tokens_out=_count_written(body),
        tokens_cached=count(body, "usage", "prompt_tokens_details", "cached_tokens"),
        tokens_cache_written=count(body, "usage", "prompt_tokens_details", "cache_write_tokens"),
        tokens_reasoning=count(body, "usage", "completion_tokens_details", "reasoning_tokens"),
    )


def _count_written(body: Body) -> int | None:
    """Return the answer's tokens with reasoning, which xAI and others count only in the total."""
    prompt, answered = count(body, "usage", "prompt_tokens"), count(body, "usage", "completion_tokens")
    if prompt is None:
        return answered
    cached = sum(_parse_optional(body, name) for name in CACHED_APART)
    return max(answered or 0, _parse_optional(body, "total_tokens") - prompt - cached) or answered


def _parse_optional(body: Body, name: str) -> int:
    """Return an optional number of tokens; an invalid one does not invalidate the reply."""
    try:
        return count(body, "usage", name) or 0
    except ValueError:
        return 0


def _azure_url(setup: Setup) -> str:
    """Return the address of the deployment, named after the model."""
    version = setup.options.get("api_version") or os.environ.get(API_VERSION)
    if not version:
        raise UserError(
            f"[providers.{setup.name}]: Azure needs an API version; "
            f"set `api_version` there or {API_VERSION} in the environment"
        )
    base = setup.access.url.rstrip("/").removesuffix("/openai")
    return f"{base}/openai/deployments/{{model}}/chat/completions?api-version={quote(version)}"


def openai_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider with this protocol; it needs no sandbox."""
    del sandbox
    return LlmProvider(settings, OpenAiDialect)
