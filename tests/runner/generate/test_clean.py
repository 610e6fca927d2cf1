"""Whatever a provider sends can be kept."""

import pytest

from steelyard.model.request import Reply, Usage
from steelyard.runner.generate.clean import clean_reply, clean_text


@pytest.mark.parametrize("text", ["", "fine", "größe 尺", "\ud800", "a\udfffb", "\ud83d\ude00"])
def test_every_text_can_be_written(text: str) -> None:
    assert clean_text(text).encode("utf-8").decode("utf-8") == clean_text(text)


def test_a_good_reply_stays_as_it_is() -> None:
    reply = Reply(text="größe", finish_reason="stop", usage=Usage(tokens_in=3, tokens_out=0), request_id="r")

    assert clean_reply(reply) == reply


@pytest.mark.parametrize("number", [-1, 2**63, 10**40])
def test_a_number_out_of_range_is_unknown(number: int) -> None:
    reply = clean_reply(Reply(text="", usage=Usage(tokens_out=number), cost_nano_usd=number))

    assert (reply.usage.tokens_out, reply.cost_nano_usd) == (None, None)


def test_names_are_cut_and_can_be_written() -> None:
    reply = clean_reply(Reply(text="", finish_reason="\ud800" * 5000, request_id="\udfff" * 5000))

    assert (reply.finish_reason, reply.request_id) == ("?" * 1000, "?" * 1000)
