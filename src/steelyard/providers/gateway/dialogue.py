"""What the protocols have in common: turns of a request, the model's answer, streamed events."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from steelyard.model.request import Usage
from steelyard.model.step import ToolCall
from steelyard.providers.llm.dialect import Body

ASSISTANT, TOOL = "assistant", "tool"
REFUSED = 403  # agents and their libraries do not retry it


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a request; `call` is set on the result of a tool call."""

    role: str
    text: str
    call: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The model's message."""

    text: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Reads requests and replies of one protocol, and encodes refusals."""

    name: str
    path: str
    join: Callable[[list[Body]], Body]
    parse_usage: Callable[[Body], Usage]
    parse_turns: Callable[[Body], list[Turn]]
    parse_answer: Callable[[Body], Answer]
    encode_error: Callable[[str], Body]
    limits: tuple[str, ...]  # fields with the most tokens of an answer


def parse_events(stream: str) -> list[Body]:
    r"""Return the objects of a stream; an event that was cut off is left out.

    >>> parse_events('data: {"a": 1}\n\ndata: {"a"')
    [{'a': 1}]
    """
    parsed = [
        parse_object(line[5:]) for line in stream.replace("\r\n", "\n").split("\n") if line[:5] == "data:"
    ]
    return [event for event in parsed if event is not None]


def parse_object(text: str | bytes) -> dict[str, Any] | None:
    """Return a JSON object, or None."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parse_arguments(value: object) -> Mapping[str, Any]:
    """Return a tool call's arguments as an object.

    >>> parse_arguments('{"command": "ls"}'), parse_arguments("ls")
    ({'command': 'ls'}, {'input': 'ls'})
    """
    parsed = parse_object(value) if isinstance(value, str) else value
    return parsed if isinstance(parsed, dict) else {"input": value}


def text_of(content: object) -> str:
    """Return the text of a message: a string, or parts, of which other media are named only.

    >>> text_of("a"), text_of([{"type": "image"}])
    ('a', '[image]')
    """
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "\n".join(_part_text(part) for part in content)
    return json.dumps(content)


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; anything else is empty."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _part_text(part: object) -> str:
    if not isinstance(part, dict):
        return str(part)
    text = part.get("text")
    return text if isinstance(text, str) else f"[{part.get('type', 'part')}]"
