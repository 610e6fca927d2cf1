"""Read OpenAI's Responses."""

from typing import Any

from steelyard.model.step import SYSTEM, USER, ToolCall
from steelyard.providers.gateway.chat import ROLES, encode_error
from steelyard.providers.gateway.dialogue import (
    TOOL,
    Answer,
    Protocol,
    Turn,
    objects,
    parse_arguments,
    text_of,
)
from steelyard.providers.llm.dialect import Body
from steelyard.providers.llm.responses import parse_usage

ENDED = {"response.completed", "response.incomplete", "response.failed"}
CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}


def join(events: list[Body]) -> Body:
    """Return the reply of the last event; without it, the finished items."""
    for event in reversed(events):
        if event.get("type") in ENDED and isinstance(event.get("response"), dict):
            return dict(event["response"])
    return {"output": [event["item"] for event in events if event.get("type") == "response.output_item.done"]}


def parse_turns(body: Body) -> list[Turn]:
    """Return the instructions and the items of a request."""
    instructions = body.get("instructions")
    turns = [Turn(role=SYSTEM, text=instructions)] if isinstance(instructions, str) else []
    items = body.get("input")
    if isinstance(items, str):
        return [*turns, Turn(role=USER, text=items)]
    return turns + [turn for item in objects(items) if (turn := _parse_item(item))]


def parse_answer(body: Body) -> Answer:
    """Return the messages, the summaries of reasoning and the tool calls."""
    items = objects(body.get("output"))
    return Answer(
        text="\n".join(text_of(item.get("content")) for item in items if item.get("type") == "message"),
        reasoning="\n".join(
            text_of(item["summary"])
            for item in items
            if item.get("type") == "reasoning" and item.get("summary")
        ),
        tool_calls=tuple(_parse_call(item) for item in items if item.get("type") in CALLS),
    )


def _parse_item(item: dict[str, Any]) -> Turn | None:
    kind = str(item.get("type", "message"))
    if kind.endswith("_output"):
        return Turn(role=TOOL, text=text_of(item.get("output")), call=item.get("call_id"))
    role = str(item.get("role"))
    return Turn(role=ROLES.get(role, role), text=text_of(item.get("content"))) if kind == "message" else None


def _parse_call(item: dict[str, Any]) -> ToolCall:
    return ToolCall(
        id=str(item.get("call_id") or item.get("id")),
        name=str(item.get("name") or item["type"]),
        arguments=parse_arguments(item.get(CALLS[item["type"]])),
    )


RESPONSES = Protocol(
    name="responses",
    path="/responses",
    join=join,
    parse_usage=parse_usage,
    parse_turns=parse_turns,
    parse_answer=parse_answer,
    encode_error=encode_error,
    limits=("max_output_tokens",),
)
