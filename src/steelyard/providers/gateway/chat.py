"""Read OpenAI's chat completions."""

from collections.abc import Mapping
from typing import Any

from steelyard.model.step import SYSTEM, ToolCall
from steelyard.providers.gateway.dialogue import (
    ASSISTANT,
    TOOL,
    Answer,
    Protocol,
    Turn,
    objects,
    parse_arguments,
    text_of,
)
from steelyard.providers.llm.dialect import Body
from steelyard.providers.llm.openai import parse_usage

ROLES = {"developer": SYSTEM, "function": TOOL}


def request_usage(body: Body) -> Body | None:
    """Return the request with usage of its stream requested; None if it is so already, or not streamed."""
    options = body.get("stream_options") or {}
    if not body.get("stream") or not isinstance(options, dict) or options.get("include_usage"):
        return None
    return {**body, "stream_options": {**options, "include_usage": True}}


def is_usage_event(event: Body) -> bool:
    """Whether an event of a stream has nothing but the usage."""
    return event.get("choices") == [] and bool(event.get("usage"))


def join(events: list[Body]) -> Body:
    """Assemble the first choice from its deltas."""
    message: dict[str, Any] = {"role": ASSISTANT}
    calls: dict[int, dict[str, Any]] = {}
    body: dict[str, Any] = {"choices": [{"index": 0, "message": message}]}
    for event in events:
        body |= {name: event[name] for name in ("id", "model", "usage") if event.get(name)}
        for choice in objects(event.get("choices")):
            if choice.get("index", 0) == 0:
                _add_delta(message, calls, choice.get("delta") or {})
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return body


def _add_delta(message: dict[str, Any], calls: dict[int, dict[str, Any]], delta: Mapping[str, Any]) -> None:
    for name in ("content", "reasoning_content", "reasoning", "refusal"):
        if isinstance(delta.get(name), str):
            message[name] = message.get(name, "") + delta[name]
    for piece in objects(delta.get("tool_calls")):
        call = calls.setdefault(piece.get("index", len(calls)), {"function": {"name": "", "arguments": ""}})
        call["id"] = piece.get("id") or call.get("id", "")
        for name, text in (piece.get("function") or {}).items():
            if name in call["function"] and isinstance(text, str):
                call["function"][name] += text


def parse_turns(body: Body) -> list[Turn]:
    """Return the messages of a request."""
    return [
        Turn(
            role=ROLES.get(str(message.get("role")), str(message.get("role"))),
            text=text_of(message.get("content")),
            call=message.get("tool_call_id"),
        )
        for message in objects(body.get("messages"))
    ]


def parse_answer(body: Body) -> Answer:
    """Return the message of the first choice."""
    message = next(iter(objects(body.get("choices"))), {}).get("message") or {}
    called = [(call, call.get("function") or {}) for call in objects(message.get("tool_calls"))]
    return Answer(
        text=text_of(message.get("content")) or text_of(message.get("refusal")),
        reasoning=text_of(message.get("reasoning_content") or message.get("reasoning")),
        tool_calls=tuple(
            ToolCall(
                id=str(call.get("id")),
                name=str(function.get("name")),
                arguments=parse_arguments(function.get("arguments")),
            )
            for call, function in called
        ),
    )


def encode_error(message: str) -> Body:
    """Return an error as OpenAI does."""
    return {
        "error": {"message": message, "type": "permission_error", "param": None, "code": "gateway_refused"}
    }


CHAT = Protocol(
    name="chat",
    path="/chat/completions",
    join=join,
    parse_usage=parse_usage,
    parse_turns=parse_turns,
    parse_answer=parse_answer,
    encode_error=encode_error,
    limits=("max_completion_tokens", "max_tokens"),
)
