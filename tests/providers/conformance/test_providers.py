"""What holds for every provider, whoever is asked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.errors import ProviderError
from steelyard.model.request import Reply
from steelyard.ports import Provider
from tests.providers.conformance.adapters import ADAPTERS, ANSWER, Ready, request


@pytest.fixture(params=ADAPTERS)
def ready(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ready]:
    with ADAPTERS[request.param](tmp_path) as made:
        yield made


def generated(provider: Provider, *attempts: int) -> list[Reply | BaseException]:
    async def generate() -> list[Reply | BaseException]:
        try:
            calls = (provider.generate(request(attempt)) for attempt in attempts)
            return await asyncio.gather(*calls, return_exceptions=True)
        finally:
            await provider.close()

    return asyncio.run(generate())


def test_the_answer_comes_back_letter_for_letter(ready: Ready) -> None:
    [reply] = generated(ready.good, 0)

    assert isinstance(reply, Reply), reply
    assert reply.text == ANSWER


def test_many_may_ask_at_once(ready: Ready) -> None:
    replies = generated(ready.good, *range(8))

    assert [reply.text for reply in replies if isinstance(reply, Reply)] == [ANSWER] * 8


def test_numbers_are_whole_and_never_negative_and_unknown_ones_are_none(ready: Ready) -> None:
    [reply] = generated(ready.good, 0)

    assert isinstance(reply, Reply)
    usage = reply.usage
    counts = (
        *(getattr(usage, name) for name in type(usage).__slots__),
        reply.cost_nano_usd,
        reply.first_byte_us,
        reply.latency_us,
    )
    assert all(count is None or (type(count) is int and count >= 0) for count in counts)
    if reply.first_byte_us is not None and reply.latency_us is not None:
        assert reply.first_byte_us <= reply.latency_us


def test_no_answer_is_a_provider_error_that_names_its_kind(ready: Ready) -> None:
    [error] = generated(ready.broken, 0)

    assert isinstance(error, ProviderError), error
    assert error.kind.isidentifier()
    assert error.exit_code == 3
    assert not (error.may_retry and error.is_fatal)
    assert str(error)


def test_one_call_is_one_attempt(ready: Ready) -> None:
    generated(ready.broken, 0)

    assert ready.attempts() == 1


def test_a_provider_may_be_closed_without_having_been_asked(ready: Ready) -> None:
    async def close() -> None:
        await ready.good.close()
        await ready.broken.close()

    asyncio.run(close())
