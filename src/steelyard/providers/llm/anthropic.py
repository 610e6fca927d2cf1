"""Implement Anthropic's messages protocol."""

from typing import Any

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import (
    Body,
    EndedEarly,
    ParsedReply,
    Post,
    Setup,
    count,
    given,
    not_taken,
    total,
    with_files,
)
from steelyard.providers.llm.provider import LlmProvider

VERSION = "2023-06-01"
MAX_TOKENS = 32_000  # default limit: the protocol requires one, and every current model supports this
LONGEST_WHOLE = 16_000  # tokens: longer answers take minutes, in which idle connections are cut
FINISHED = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
    "tool_use": "tool_call",
}


class AnthropicDialect:
    """Messages; long answers are streamed, to keep the connection busy."""

    def __init__(self, setup: Setup) -> None:
        access = setup.access
        self._name, self._extra = setup.name, setup.extra
        self._url = f"{access.url.rstrip('/').removesuffix('/v1')}/v1/messages"
        self.headers = {"x-api-key": access.key, "anthropic-version": VERSION}
        if access.is_foreign:  # gateways expect the key in one of two headers
            self.headers["Authorization"] = f"Bearer {access.key}"

    def post(self, request: Request) -> Post:
        """Encode the prompt and the parameters; seeds are not supported."""
        parameters = request.parameters
        if parameters.seed is not None:
            raise not_taken(self._name, "seed")
        # The request's own limit takes precedence: the budget is reserved by it.
        limit = parameters.max_tokens or self._extra.get("max_tokens") or MAX_TOKENS
        body = {
            "model": request.model_name,
            "messages": [{"role": "user", "content": with_files(request.prompt, request.context)}],
            "stream": limit > LONGEST_WHOLE,
            **self._extra,
            "max_tokens": limit,
            **given(
                system=request.system_prompt or None,
                temperature=parameters.temperature,
                top_p=parameters.top_p,
            ),
        }
        return Post(url=self._url, headers=self.headers, body=body)

    def parse_reply(self, body: Body) -> ParsedReply:
        """Parse a reply: its texts, without reasoning."""
        blocks = body["content"]
        return ParsedReply(
            text="".join(block["text"] for block in blocks if block["type"] == "text"),
            finish_reason=FINISHED.get(body.get("stop_reason") or ""),
            usage=parse_usage(body),
            id=body.get("id"),
        )

    def joined(self, events: list[Body]) -> Body:
        """Assemble the message from its events."""
        message: dict[str, Any] = {}
        blocks: dict[int, str] = {}
        for event in events:
            match event.get("type"):
                case "message_start":
                    message = dict(event["message"])
                case "content_block_delta" if event["delta"].get("type") == "text_delta":
                    index = event["index"]
                    blocks[index] = blocks.get(index, "") + event["delta"]["text"]
                case "message_delta":
                    message |= event["delta"]
                    # Counts are cumulative; null keeps the last one.
                    known, more = message.get("usage") or {}, event.get("usage") or {}
                    message["usage"] = {**known, **given(**more)}
                case "message_stop":
                    return {
                        **message,
                        "content": [{"type": "text", "text": blocks[at]} for at in sorted(blocks)],
                    }
        raise EndedEarly("the final event of the streamed answer is missing")


def parse_usage(body: Body) -> Usage:
    """Return the tokens; the vendor counts cached prompt tokens separately."""
    fresh = count(body, "usage", "input_tokens")
    cached = count(body, "usage", "cache_read_input_tokens")
    written = count(body, "usage", "cache_creation_input_tokens")
    return Usage(
        tokens_in=None if fresh is None else total(fresh, cached, written),
        tokens_out=count(body, "usage", "output_tokens"),
        tokens_cached=cached,
        tokens_cache_written=written,
        tokens_reasoning=count(body, "usage", "output_tokens_details", "thinking_tokens"),
    )


def anthropic_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider with this protocol; it needs no sandbox."""
    del sandbox
    return LlmProvider(settings, AnthropicDialect)
