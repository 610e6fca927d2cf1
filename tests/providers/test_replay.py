"""The provider of recorded answers: what is there comes back, what is not is nobody's failure."""

import asyncio
from collections.abc import Callable

import pytest

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.sample import JUDGE_TIER, SampleKey
from steelyard.providers.replay import ReplayProvider

KEY = SampleKey("openai/gpt-9", "T1", "sums", "add", "0123456789abcdef", 2)


def draw(find: Callable[[SampleKey], Reply | None]) -> Reply:
    return asyncio.run(ReplayProvider(find, where="answers.jsonl").draw(Request(key=KEY, prompt="Add.")))


def test_a_recorded_answer_is_given_as_it_was() -> None:
    recorded = {KEY: Reply(text="x", usage=Usage(tokens_in=3), cost_nano_usd=7, latency_us=9)}

    assert draw(recorded.get) is recorded[KEY]


def test_an_answer_that_is_not_recorded_is_an_error_that_no_retry_mends() -> None:
    with pytest.raises(ProviderError) as raised:
        draw(lambda _: None)

    error = raised.value
    assert (error.kind, error.may_retry, error.is_fatal, error.may_be_billed) == (
        "not_recorded",
        False,
        False,
        False,
    )
    assert str(error) == (
        "answers.jsonl holds no answer of openai/gpt-9 (T1) to sums/add in the form 01234567, attempt 2"
    )


def test_a_record_of_an_earlier_version_names_judges_replies_without_their_parameters() -> None:
    asked = KEY._replace(tier=JUDGE_TIER, digest="0123-4567")
    recorded = {asked._replace(digest="0123"): Reply(text="old")}
    replay = ReplayProvider(recorded.get, where="answers.jsonl")

    assert asyncio.run(replay.draw(Request(key=asked, prompt="Rate."))).text == "old"

    recorded[asked] = Reply(text="new")
    assert asyncio.run(replay.draw(Request(key=asked, prompt="Rate."))).text == "new"
