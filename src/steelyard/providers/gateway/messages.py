"""Read Anthropic's messages."""

from collections.abc import Iterator
from typing import Any

from steelyard.model.step import SYSTEM, ToolCall
from steelyard.providers.gateway.dialogue import (
    TOOL,
    Answer,
    Protocol,
    Turn,
    objects,
    parse_arguments,
    text_of,
)
from steelyard.providers.llm.anthropic import parse_usage
from steelyard.providers.llm.dialect import Body, given

DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def join(events: list[Body]) -> Body:
    """Assemble the message from its events; without the last ones, its output tokens are unknown."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        match event.get("type"):
            case "message_start":
                message = dict(event["message"])
                # The count at the beginning is no total.
                message["usage"] = {**(message.get("usage") or {}), "output_tokens": None}
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                _add_delta(blocks.get(event["index"], {}), event["delta"])
            case "message_delta":
                message |= event["delta"]
                usage = given(**(event.get("usage") or {}))  # cumulative; null keeps the last one
                message["usage"] = {**message.get("usage", {}), **usage}
    return {**message, "content": [_finish_block(blocks[index]) for index in sorted(blocks)]}


def _add_delta(block: dict[str, Any], delta: Body) -> None:
    name = DELTAS.get(delta.get("type", ""))
    if name is not None:
        block[name] = block.get(name, "") + delta[name]


def _finish_block(block: dict[str, Any]) -> dict[str, Any]:
    written = block.pop("partial_json", "")
    return {**block, "input": parse_arguments(written)} if written else block


def parse_turns(body: Body) -> list[Turn]:
    """Return the system prompt and the messages, with each tool result as a turn."""
    system = [Turn(role=SYSTEM, text=text_of(body["system"]))] if body.get("system") else []
    return system + [turn for message in objects(body.get("messages")) for turn in _parse_message(message)]


def _parse_message(message: dict[str, Any]) -> Iterator[Turn]:
    content = message.get("content")
    results = [block for block in objects(content) if block.get("type") == "tool_result"]
    for block in results:
        yield Turn(role=TOOL, text=text_of(block.get("content")), call=block.get("tool_use_id"))
    rest = [block for block in content if block not in results] if isinstance(content, list) else content
    if rest:
        yield Turn(role=str(message.get("role")), text=text_of(rest))


def parse_answer(body: Body) -> Answer:
    """Return texts, reasoning and tool calls."""
    blocks = objects(body.get("content"))
    called = [block for block in blocks if block.get("type") == "tool_use"]
    return Answer(
        text="\n".join(str(block["text"]) for block in blocks if block.get("type") == "text"),
        reasoning="\n".join(str(block["thinking"]) for block in blocks if block.get("type") == "thinking"),
        tool_calls=tuple(
            ToolCall(id=str(block.get("id")), name=str(block.get("name")), arguments=block.get("input") or {})
            for block in called
        ),
    )


def encode_error(message: str) -> Body:
    """Return an error as Anthropic does."""
    return {"type": "error", "error": {"type": "permission_error", "message": message}}


MESSAGES = Protocol(
    name="messages",
    path="/messages",
    join=join,
    parse_usage=parse_usage,
    parse_turns=parse_turns,
    parse_answer=parse_answer,
    encode_error=encode_error,
    limits=("max_tokens",),
)
