"""Implement OpenAI's Responses protocol, which some of its models require."""

import json

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
    not_taken,
    texts,
    with_files,
)
from steelyard.providers.llm.errors import Refused
from steelyard.providers.llm.provider import LlmProvider

FAILED = {"rate_limit_exceeded": 429}  # errors inside a reply, by status; others are the server's own
INCOMPLETE = {"max_output_tokens": "length", "content_filter": "content_filter"}


class ResponsesDialect(NeverStreamed):
    """One input, one output; the vendor stores nothing unless the option `body` allows it."""

    def __init__(self, setup: Setup) -> None:
        self._extra = setup.extra
        self._url = f"{setup.access.url.rstrip('/')}/responses"
        self.headers = {"Authorization": f"Bearer {setup.access.key}"}

    def post(self, request: Request) -> Post:
        """Encode the prompt and the given parameters."""
        parameters = request.parameters
        if parameters.seed is not None:
            raise not_taken("the Responses protocol", "seed")
        fields = given(
            temperature=parameters.temperature,
            top_p=parameters.top_p,
            max_output_tokens=parameters.max_tokens,
            instructions=request.system_prompt or None,
        )
        prompt = with_files(request.prompt, request.context)
        body = {"model": request.model_name, "input": prompt, "store": False, **self._extra, **fields}
        return Post(url=self._url, headers=self.headers, body=body)

    def parse_reply(self, body: Body) -> ParsedReply:
        """Parse a reply: its messages, without reasoning."""
        if body.get("status") == "failed":
            raise Refused(FAILED.get(_read_nested(body, "error", "code"), 500), json.dumps(body).encode())
        if body.get("status", "completed") not in {"completed", "incomplete"}:
            raise ValueError(f"the answer is not finished: {body['status']!r}")
        if not isinstance(body.get("output"), list):
            raise TypeError("no answer: `output` is not a list")
        content = [
            part for output in body["output"] if output["type"] == "message" for part in output["content"]
        ]
        refusals = [part["refusal"] for part in content if part["type"] == "refusal"]
        reason = _read_nested(body, "incomplete_details", "reason")
        finish = INCOMPLETE.get(reason, "error") if body.get("status") == "incomplete" else "stop"
        return ParsedReply(
            text=texts(content, of="content") or "".join(map(str, refusals)),
            finish_reason="content_filter" if refusals else finish,
            usage=parse_usage(body),
            id=body.get("id"),
        )


def _read_nested(body: Body, name: str, field: str) -> str:
    """Return a string of an object in a body; empty if there is none."""
    value = body.get(name)
    return str(value.get(field)) if isinstance(value, dict) else ""


def parse_usage(body: Body) -> Usage:
    """Return the tokens: the prompt includes cached ones, the answer includes reasoning."""
    return Usage(
        tokens_in=count(body, "usage", "input_tokens"),
        tokens_out=count(body, "usage", "output_tokens"),
        tokens_cached=count(body, "usage", "input_tokens_details", "cached_tokens"),
        tokens_cache_written=count(body, "usage", "input_tokens_details", "cache_write_tokens"),
        tokens_reasoning=count(body, "usage", "output_tokens_details", "reasoning_tokens"),
    )


def responses_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider with this protocol; it needs no sandbox."""
    del sandbox
    return LlmProvider(settings, ResponsesDialect)
