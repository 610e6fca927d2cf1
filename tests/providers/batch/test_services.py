"""What the batch interfaces of all vendors promise alike, against a service that speaks as they do."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar, cast

import pytest

from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.plugins import BATCHES, load
from steelyard.providers.batch.service import BatchService, BatchServiceMaker
from tests.fake_providers.asked import Answer
from tests.fake_providers.batches import PIECE, BatchShop, selling

KEY, KEY_NAME = "sk-do-not-repeat-me", "STEELYARD_TEST_KEY"
EVERY = pytest.mark.parametrize("vendor", BATCHES)
Result = TypeVar("Result")


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchShop]:
    monkeypatch.setenv(KEY_NAME, KEY)
    with selling(BatchShop(looks=1)) as open_shop:
        yield open_shop


def request(vendor: str, number: int) -> Request:
    key = SampleKey(f"{vendor}/m", "T0", "default", f"case-{number}", "digest", 0)
    return Request(key=key, prompt=f"say {number}", parameters=Parameters(max_tokens=100_000))


def asking(
    shop: BatchShop, vendor: str, use: Callable[[BatchService], Awaitable[Result]], *, timeout_s: float = 20.0
) -> Result:
    """Return what a use of a vendor's interface returns."""

    async def ask() -> Result:
        make = cast("BatchServiceMaker", load(BATCHES, vendor, group="batches"))
        url = shop.url(vendor)
        service = make(ProviderSettings(name=vendor, base_url=url, api_key_env=KEY_NAME, timeout_s=timeout_s))
        try:
            return await use(service)
        finally:
            await service.close()

    return asyncio.run(ask())


async def submit(service: BatchService, vendor: str, name: str, count: int = 3) -> str:
    return await service.submit(name, [service.post(request(vendor, number)) for number in range(count)])


async def replies_of(service: BatchService, batch: str) -> dict[int, Reply | None]:
    return {place: reply async for place, reply in service.replies(batch)}


@EVERY
def test_every_request_is_answered_in_its_place(shop: BatchShop, vendor: str) -> None:
    async def use(service: BatchService) -> tuple[bool, bool, dict[int, Reply | None]]:
        batch = await submit(service, vendor, "a")
        return await service.is_ended(batch), await service.is_ended(batch), await replies_of(service, batch)

    before, after, replies = asking(shop, vendor, use)

    assert (before, after) == (False, True)
    assert sorted(replies) == [0, 1, 2]
    read = [reply for reply in replies.values() if reply is not None]
    assert [reply.usage.tokens_in for reply in read if reply.text in {"yes", "no"}] == [2, 2, 2]
    assert shop.keys == {KEY}


@EVERY
def test_what_was_not_answered_is_missing(shop: BatchShop, vendor: str) -> None:
    shop.unanswered, shop.looks = 2, 0

    async def use(service: BatchService) -> dict[int, Reply | None]:
        batch = await submit(service, vendor, "a")
        assert await service.is_ended(batch)
        return await replies_of(service, batch)

    assert list(asking(shop, vendor, use)) == [2]


@EVERY
def test_a_batch_is_found_by_its_name_on_any_page_and_another_name_is_not(
    shop: BatchShop, vendor: str
) -> None:
    shop.looks = 0

    async def use(service: BatchService) -> tuple[list[str], list[str | None]]:
        since = datetime.now(UTC)
        made = [await submit(service, vendor, name) for name in "abcde"]
        return made, [await service.find(name, 3, since) for name in "abcdex"]

    made, found = asking(shop, vendor, use)

    assert found == [*made, None]


def test_a_batch_without_names_may_be_any_of_its_size_until_it_has_ended(shop: BatchShop) -> None:
    shop.looks = 1

    async def use(service: BatchService) -> str | None:
        now = datetime.now(UTC)
        await submit(service, "anthropic", "other")
        assert await service.find("a", 4, now) is None  # another size
        shop.batches["batch_0"].looks = 0
        with pytest.raises(ProviderError) as unsure:
            await service.find("a", 3, now)
        assert unsure.value.may_retry
        assert await service.find("a", 3, now + timedelta(hours=2)) is None  # made before ours could be
        return await service.find("a", 3, now)

    assert asking(shop, "anthropic", use) is None


@EVERY
def test_a_refusal_says_why_and_repeats_no_key(shop: BatchShop, vendor: str) -> None:
    shop.refuses = 1

    with pytest.raises(ProviderError, match=r"model.*batches") as refused:
        asking(shop, vendor, lambda service: submit(service, vendor, "a"))

    assert not refused.value.may_retry
    assert KEY not in str(refused.value)
    assert not shop.paid


@EVERY
@pytest.mark.parametrize("fault", ["fails", "drops", "errors"])
def test_whatever_leaves_the_submission_open_may_be_tried_again(
    shop: BatchShop, vendor: str, fault: str
) -> None:
    setattr(shop, fault, 1)

    with pytest.raises(ProviderError) as unknown:
        asking(shop, vendor, lambda service: submit(service, vendor, "a"))

    assert unknown.value.may_retry


@pytest.mark.parametrize("vendor", ["openai", "google"])
def test_results_that_are_not_there_yet_do_not_count_as_unanswered(shop: BatchShop, vendor: str) -> None:
    async def use(service: BatchService) -> dict[int, Reply | None]:
        return await replies_of(service, await submit(service, vendor, "a"))

    with pytest.raises(ProviderError, match="not available yet") as early:
        asking(shop, vendor, use)

    assert early.value.may_retry


@EVERY
def test_an_answer_in_an_unknown_form_is_an_error_that_may_pass(shop: BatchShop, vendor: str) -> None:
    async def use(service: BatchService) -> bool:
        batch = await submit(service, vendor, "a")
        shop.garbles = True
        return await service.is_ended(batch)

    with pytest.raises(ProviderError) as odd:
        asking(shop, vendor, use)

    assert odd.value.may_retry


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_results_may_take_longer_than_the_time_limit_as_long_as_some_come(
    shop: BatchShop, vendor: str
) -> None:
    shop.looks, shop.drips_s = 0, 0.25

    async def use(service: BatchService) -> dict[int, Reply | None]:
        batch = await submit(service, vendor, "a", count=20)
        assert await service.is_ended(batch)
        return await replies_of(service, batch)

    assert len(asking(shop, vendor, use, timeout_s=4.0)) == 20


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_results_that_stop_coming_are_an_error_that_may_pass(shop: BatchShop, vendor: str) -> None:
    shop.looks = 0

    async def use(service: BatchService) -> dict[int, Reply | None]:
        batch = await submit(service, vendor, "a")
        shop.drips_s = 6.0
        return await replies_of(service, batch)

    with pytest.raises(ProviderError, match="answer") as silent:
        asking(shop, vendor, use, timeout_s=2.0)

    assert silent.value.may_retry


def test_a_proxy_that_does_not_lead_on_is_an_error_that_may_pass(
    shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        proxy = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr("steelyard.providers.llm.wire._proxy", lambda _: proxy)
        monkeypatch.setattr(shop, "url", lambda _: "https://vendor.example/v1")

        with pytest.raises(ProviderError, match="answer") as caught:
            asking(shop, "openai", lambda service: service.is_ended("b"), timeout_s=0.5)

    assert caught.value.may_retry


def test_a_batch_may_take_longer_to_send_than_the_time_limit(shop: BatchShop) -> None:
    shop.drips_s = 0.1

    async def use(service: BatchService) -> str:
        long = replace(
            request("anthropic", 0), prompt="x" * 50 * PIECE
        )  # the kernel buffers up to ten of them
        return await service.submit("a", [service.post(long)])

    assert asking(shop, "anthropic", use, timeout_s=4.0) == "batch_0"


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("lid", "said"),
    [
        (("llm.wire.LARGEST_BODY", 1 << 20), "a line of the answer is longer than 1 MiB"),
        (("batch.client.MOST_LINES", 2), r"2.*results"),
    ],
)
def test_results_without_end_are_cut_off(
    shop: BatchShop, monkeypatch: pytest.MonkeyPatch, vendor: str, lid: tuple[str, int], said: str
) -> None:
    name, value = lid
    monkeypatch.setattr(f"steelyard.providers.{name}", value)
    monkeypatch.setattr("tests.fake_providers.batches.answer_to", lambda _: Answer(text="x" * (2 << 20)))
    shop.looks = 0

    async def use(service: BatchService) -> dict[int, Reply | None]:
        batch = await submit(service, vendor, "a")
        return await replies_of(service, batch)

    with pytest.raises(ProviderError, match=said):
        asking(shop, vendor, use)


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_all_results_together_may_be_longer_than_any_body(
    shop: BatchShop, monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    shop.looks = 0
    monkeypatch.setattr("steelyard.providers.llm.wire.LARGEST_BODY", 1 << 20)
    monkeypatch.setattr("steelyard.providers.batch.client.LARGEST_OBJECT", 1 << 20)
    monkeypatch.setattr("tests.fake_providers.batches.answer_to", lambda _: Answer(text="x" * (600 << 10)))

    async def use(service: BatchService) -> dict[int, Reply | None]:
        batch = await submit(service, vendor, "a", count=4)
        assert await service.is_ended(batch)
        return await replies_of(service, batch)

    assert [reply is not None for reply in asking(shop, vendor, use).values()] == [True] * 4
