"""The tokens of a reply, in the shapes in which services state them."""

from decimal import Decimal
from typing import Any

import pytest

from steelyard.model.price import Price
from steelyard.providers.llm.access import Access
from steelyard.providers.llm.anthropic import AnthropicDialect
from steelyard.providers.llm.dialect import Body, Setup
from steelyard.providers.llm.openai import OpenAiDialect
from steelyard.providers.llm.responses import ResponsesDialect

CHOICES = [{"message": {"content": "x"}, "finish_reason": "stop"}]
SETUP = Setup(name="x", access=Access(kind="openai", url="http://127.0.0.1", key="k"))
CHAT, MESSAGES, RESPONSES = OpenAiDialect(SETUP), AnthropicDialect(SETUP), ResponsesDialect(SETUP)


def chat(asked: int | None, answered: int | None, total: object, **more: object) -> dict[str, Any]:
    """Return the body of a chat completion; `thought` in `more` is its reasoning."""
    details = {"reasoning_tokens": more.pop("thought", None)}
    counts = {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": total}
    return {"choices": CHOICES, "usage": counts | {"completion_tokens_details": details} | more}


@pytest.mark.parametrize(
    ("body", "written"),
    [
        (chat(32, 9, 41), 9),
        (chat(32, 0, 32), 0),
        (chat(32, 100, 132, thought=94), 100),  # OpenAI, Azure, OpenRouter
        (chat(32, 100, 226, thought=94), 194),  # xAI
        (chat(32, 9, 135, thought=94), 103),
        (chat(32, 9, 135), 103),  # Gemini behind some gateways
        (chat(32, None, 135), 103),
        (chat(32, None, 32), None),
        (chat(None, 9, 135), 9),
        (chat(32, 100, 38, thought=94), 100),  # a total without reasoning
        # A gateway to Anthropic, of which only the total holds what the cache holds.
        (chat(32, 9, 1041, cache_read_input_tokens=900, cache_creation_input_tokens=100), 9),
        (chat(1032, 9, 1041, cache_read_input_tokens=900, cache_creation_input_tokens=100), 9),
    ],
)
def test_reasoning_that_only_the_total_counts_is_part_of_the_answer(
    body: dict[str, Any], written: int | None
) -> None:
    assert CHAT.parse_reply(body).usage.tokens_out == written


@pytest.mark.parametrize("total", [None, -135, 135.5, "135", True, 0, [135]])
def test_a_total_that_is_none_changes_nothing(total: object) -> None:
    assert CHAT.parse_reply(chat(32, 9, total)).usage.tokens_out == 9


@pytest.mark.parametrize(
    ("body", "usd"), [(chat(32, 100, 226, thought=94), 484), (chat(32, 9, 135, thought=94), 302)]
)
def test_reasoning_that_is_counted_apart_has_its_price(body: dict[str, Any], usd: int) -> None:
    price = Price(model="m", input_usd=Decimal(3), output_usd=Decimal(2))

    assert price.usd(CHAT.parse_reply(body).usage) == Decimal(usd) / 1_000_000


@pytest.mark.parametrize(
    ("first", "later", "expected"),
    [
        ({"input_tokens": 50, "cache_read_input_tokens": 30}, [{"output_tokens": 7}], (80, 7, 30)),
        ({"input_tokens": 0}, [{"input_tokens": 50, "output_tokens": 7}], (50, 7, None)),
        ({"input_tokens": 50}, [{"output_tokens": 3}, {"output_tokens": 7}], (50, 7, None)),
        (
            {"input_tokens": 50, "cache_read_input_tokens": 30, "output_tokens": 1},
            [{"input_tokens": None, "cache_read_input_tokens": None, "output_tokens": 7}],
            (80, 7, 30),
        ),
        ({"input_tokens": 50, "output_tokens": 7}, [None], (50, 7, None)),
        (None, [{"input_tokens": 50, "output_tokens": 7}], (50, 7, None)),
    ],
)
def test_of_tokens_that_come_in_several_events_the_last_number_counts(
    first: object, later: list[object], expected: tuple[int | None, ...]
) -> None:
    pieces = [{"type": "message_delta", "delta": {}, "usage": usage} for usage in later]
    begun: Body = {"type": "message_start", "message": {"usage": first}}
    events = [begun, *pieces, {"type": "message_stop"}]

    usage = MESSAGES.parse_reply(MESSAGES.joined(events)).usage

    assert (usage.tokens_in, usage.tokens_out, usage.tokens_cached) == expected


def test_what_goes_into_a_cache_is_stated_by_responses_too() -> None:
    details = {"cached_tokens": 2000, "cache_write_tokens": 400}
    usage = {"input_tokens": 2600, "input_tokens_details": details, "output_tokens": 7}

    found = RESPONSES.parse_reply({"output": [], "usage": usage}).usage

    assert (found.tokens_in, found.tokens_cached, found.tokens_cache_written) == (2600, 2000, 400)
