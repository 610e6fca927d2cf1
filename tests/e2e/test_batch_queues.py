"""`run --batch` where a vendor takes batches and puts them back, since too many requests are waiting."""

import pytest

from perf.kill_batches import TOTAL
from tests.e2e.batches import OPENAI, PHASE, open_files, raising, words
from tests.e2e.lab import Lab
from tests.fake_providers.batches import BatchShop


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PHASE}.LONGEST_PAUSE_S", 0.05)


def sizes(shop: BatchShop, *, are_put_back: bool) -> list[int]:
    found = (batch for batch in shop.batches.values() if batch.is_put_back == are_put_back)
    return [len(batch.requests) for batch in found]


def test_a_batch_that_is_put_back_alone_is_halved_until_it_is_taken(batches: Lab, shop: BatchShop) -> None:
    shop.queue = 4

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 0, shown.err
    assert "Enqueued token limit" in shown.err
    assert sizes(shop, are_put_back=True)[:2] == [12, 6]
    assert sum(sizes(shop, are_put_back=False)) == TOTAL
    assert (shop.direct, shop.paid.total(), max(shop.paid.values())) == (0, TOTAL, 1)
    assert open_files(batches) == []


@pytest.mark.check_all
def test_a_batch_that_is_put_back_beside_others_follows_when_they_are_done(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{OPENAI}.most_requests", 4)
    shop.queue = 8

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 0, shown.err
    assert sizes(shop, are_put_back=True) == [4]
    assert sizes(shop, are_put_back=False) == [4, 4, 4]
    assert (shop.direct, shop.paid.total()) == (0, TOTAL)


def test_a_vendor_that_has_no_room_for_long_stops_the_run(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PHASE}.FAILING_S", 0.3)
    shop.queue = 0

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert "all batches were put back for 0 minutes; try again later" in shown.err
    tried = sizes(shop, are_put_back=True)
    assert tried[:2] == [12, 6]
    assert tried == sorted(tried, reverse=True)
    assert (shop.direct, shop.paid.total(), open_files(batches)) == (0, 0, [])


@pytest.mark.check_all
def test_a_run_that_was_stopped_submits_again_what_was_put_back_meanwhile(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.queue = 6
    with monkeypatch.context() as pressed:
        pressed.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
        assert batches.run("--batch", *words("openai")).code == 4
    assert len(open_files(batches)) == 1

    assert batches.resume("--batch").code == 0

    assert sizes(shop, are_put_back=True)[0] == TOTAL
    assert (shop.direct, shop.paid.total(), max(shop.paid.values())) == (0, TOTAL, 1)
    assert open_files(batches) == []


@pytest.mark.check_all
def test_what_is_put_back_is_generated_directly_by_a_run_that_goes_on_without_batches(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.queue = 6
    with monkeypatch.context() as pressed:
        pressed.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
        batches.run("--batch", *words("openai"))

    shown = batches.resume()

    assert "put back, generated directly: Enqueued token limit reached." in shown.err
    assert shop.direct == TOTAL


@pytest.mark.check_all
def test_a_model_without_room_keeps_no_other_from_its_batches(batches: Lab, shop: BatchShop) -> None:
    """Two models, of whose batches the vendor's queue holds one at a time."""
    shop.queue = TOTAL
    models = ("--models", "openai/m,openai/n", "--seed", "0")

    shown = batches.run("--batch", "--eval-set", "small.toml", *models)

    assert shown.code == 0, shown.err
    assert (shop.direct, shop.paid.total(), max(shop.paid.values())) == (0, 2 * TOTAL, 1)
