"""The record of a trial becomes steps, the same for each protocol."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from steelyard.model.step import Step
from steelyard.providers.gateway.exchange import Ending, Exchange, read_usage
from steelyard.providers.gateway.steps import steps_of
from tests.providers.gateway.scripted_service import sse

LS = {"command": "ls"}
ARGUMENTS = json.dumps(LS)
CHAT_CALL = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": ARGUMENTS}}
CHAT_ASK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Fix add."}]
CHAT_RESULT = [
    {"role": "assistant", "content": "Look.", "tool_calls": [CHAT_CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "core.py"},
]
TOOL_USE = {"type": "tool_use", "id": "call_1", "name": "bash", "input": {}}
ANTHROPIC_ASK = [{"role": "user", "content": [{"type": "text", "text": "Fix add."}]}]
ANTHROPIC_RESULT = [
    {"role": "assistant", "content": [{"type": "text", "text": "Look."}, {**TOOL_USE, "input": LS}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "core.py"}]},
]
OUTPUT_CALL = {"type": "function_call", "call_id": "call_1", "name": "bash", "arguments": ARGUMENTS}
OUTPUT_MESSAGE = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Look."}],
}
INPUT_ASK = [{"role": "user", "content": [{"type": "input_text", "text": "Fix add."}]}]
INPUT_RESULT = [
    OUTPUT_MESSAGE,
    OUTPUT_CALL,
    {"type": "function_call_output", "call_id": "call_1", "output": "core.py"},
]


def exchange(
    protocol: str, request: Mapping[str, Any], reply: Mapping[str, Any] | tuple[str, ...], **more: object
) -> Exchange:
    is_events = isinstance(reply, tuple)
    fields: dict[str, Any] = {
        "at": "2026-11-20T00:00:00.000+00:00",
        "method": "POST",
        "path": f"/{protocol}",
        "protocol": protocol,
        "request": {"model": "m", **request},
        "status": 200,
        "headers": {"content-type": "text/event-stream" if is_events else "application/json"},
        "reply": "".join(reply) if isinstance(reply, tuple) else json.dumps(reply),
    }
    return Exchange(**(fields | more))


def chat(content: str, *calls: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"choices": [{"message": {"content": content, "tool_calls": list(calls)}}]}


CHAT_STREAM = sse(
    {"choices": [{"index": 0, "delta": {"content": "Lo"}}]},
    {
        "choices": [
            {
                "index": 0,
                "delta": {
                    "content": "ok.",
                    "tool_calls": [
                        {"index": 0, **CHAT_CALL, "function": {"name": "bash", "arguments": ARGUMENTS[:5]}}
                    ],
                },
            }
        ]
    },
    {
        "choices": [
            {"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS[5:]}}]}}
        ]
    },
    is_named=False,
)
ANTHROPIC_STREAM = sse(
    {"type": "message_start", "message": {"usage": {"input_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Look."}},
    {"type": "content_block_start", "index": 1, "content_block": TOOL_USE},
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": ARGUMENTS[:4]},
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": ARGUMENTS[4:]},
    },
    {"type": "message_stop"},
)
RESPONSES_STREAM = sse({"type": "response.completed", "response": {"output": [OUTPUT_MESSAGE, OUTPUT_CALL]}})
TRIALS = {
    "chat": (
        exchange("chat", {"messages": CHAT_ASK}, chat("Look.", CHAT_CALL)),
        exchange("chat", {"messages": CHAT_ASK + CHAT_RESULT}, chat("Done.")),
    ),
    "chat streamed": (
        exchange("chat", {"messages": CHAT_ASK}, CHAT_STREAM),
        exchange("chat", {"messages": CHAT_ASK + CHAT_RESULT}, chat("Done.")),
    ),
    "messages": (
        exchange("messages", {"system": "Be brief.", "messages": ANTHROPIC_ASK}, ANTHROPIC_STREAM),
        exchange(
            "messages",
            {"system": "Be brief.", "messages": ANTHROPIC_ASK + ANTHROPIC_RESULT},
            {"content": [{"type": "text", "text": "Done."}]},
        ),
    ),
    "responses": (
        exchange("responses", {"instructions": "Be brief.", "input": INPUT_ASK}, RESPONSES_STREAM),
        exchange(
            "responses",
            {"instructions": "Be brief.", "input": INPUT_ASK + INPUT_RESULT},
            {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Done."}]}]},
        ),
    ),
}


def outline(step: Step) -> tuple[Any, ...]:
    calls = [(call.name, dict(call.arguments)) for call in step.tool_calls]
    return step.source, step.message, calls, [observation.content for observation in step.observations]


@pytest.mark.parametrize("exchanges", TRIALS.values(), ids=TRIALS)
def test_each_protocol_gives_the_same_steps(exchanges: tuple[Exchange, ...]) -> None:
    assert [outline(step) for step in steps_of(exchanges)] == [
        ("system", "Be brief.", [], []),
        ("user", "Fix add.", [], []),
        ("agent", "Look.", [("bash", LS)], ["core.py"]),
        ("agent", "Done.", [], []),
    ]


def test_a_message_that_a_user_repeats_is_a_step_each_time() -> None:
    again = [{"role": "user", "content": "Go on."}]
    exchanges = [exchange("chat", {"messages": again * count}, chat("Yes.")) for count in (1, 2, 2)]

    assert [step.source for step in steps_of(exchanges)] == ["user", "agent", "user", "agent", "agent"]


def test_calls_that_failed_or_were_refused_are_no_steps() -> None:
    exchanges = [
        exchange("chat", {"messages": CHAT_ASK}, {}, status=429),
        exchange("chat", {"messages": CHAT_ASK}, {}, status=403, ending=Ending.REFUSED),
        exchange("", {}, {}),
    ]

    assert steps_of(exchanges) == ()


@pytest.mark.parametrize(
    "reply", [{"choices": [3]}, {"usage": {"prompt_tokens": "x"}}, sse({"type": "message_start"})]
)
@pytest.mark.parametrize("protocol", ["chat", "messages", "responses"])
def test_a_malformed_reply_is_a_step_of_unknown_tokens(
    protocol: str, reply: Mapping[str, Any] | tuple[str, ...]
) -> None:
    [step] = steps_of([exchange(protocol, {"messages": 3}, reply)])

    assert step.usage.tokens_in is None
    assert read_usage(exchange(protocol, {}, reply)).tokens_out is None
