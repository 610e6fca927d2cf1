"""The provider of recorded answers: what is there comes back, what is not is nobody's failure."""

import asyncio
from collections.abc import Callable

import pytest

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.sample import SampleKey
from steelyard.providers.replay import ReplayProvider

KEY = SampleKey("openai/gpt-9", "T1", "sums", "add", "0123456789abcdef", 2)


def generate(find: Callable[[SampleKey], Reply | None]) -> Reply:
    return asyncio.run(ReplayProvider(find, where="answers.jsonl").generate(Request(key=KEY, prompt="Add.")))


def test_a_recorded_answer_is_given_as_it_was() -> None:
    recorded = {KEY: Reply(text="x", usage=Usage(tokens_in=3), cost_nano_usd=7, latency_us=9)}

    assert generate(recorded.get) is recorded[KEY]


def test_an_answer_that_is_not_recorded_is_an_error_that_no_retry_mends() -> None:
    with pytest.raises(ProviderError) as raised:
        generate(lambda _: None)

    error = raised.value
    assert (error.kind, error.may_retry, error.is_fatal, error.may_be_billed) == (
        "not_recorded",
        False,
        False,
        False,
    )
    assert str(error) == (
        "answers.jsonl has no answer of openai/gpt-9 (T1) to sums/add in the form 01234567, attempt 2"
    )
