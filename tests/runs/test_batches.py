"""`run --batch`: half the price, and what was submitted is paid for once, whatever happens to the run."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.kill_batches import CASES, SAMPLES, TOTAL, killed_again_and_again
from steelyard.errors import ProviderError
from steelyard.runner.draw.budget import Budget
from tests.runs.lab import KEY, RUN, VENDORS, Lab, config, numbered, small_set
from tests.vendors.batches import BatchShop, selling


@pytest.fixture
def shop() -> Iterator[BatchShop]:
    with selling(BatchShop()) as open_shop:
        yield open_shop


@pytest.fixture
def batches(lab: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A lab whose vendors are the shop, at which one looks often."""
    monkeypatch.setattr("steelyard.runner.draw.batch_workers.FIRST_POLL_S", 0.05)
    small_set(lab.folder, numbered(CASES), samples=SAMPLES)
    urls = {vendor: shop.url(vendor) for vendor in VENDORS}
    (lab.folder / "steelyard.toml").write_text(config(urls, "openai/m"), encoding="utf-8")
    return lab


def seeded(vendor: str) -> tuple[str, ...]:
    return () if vendor == "anthropic" else ("--seed", "0")


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batch_brings_every_answer_at_half_the_price(batches: Lab, shop: BatchShop, vendor: str) -> None:
    words = ("--eval-set", "small.toml", "--models", f"{vendor}/m", *seeded(vendor))
    shown = batches.run("--batch", *words)

    assert shown.code == 0, shown.err
    assert shop.direct == 0
    assert len(shop.batches) == 1
    assert shop.paid.total() == TOTAL
    # As `lab.config` prices it: 1 and 4 USD for a million tokens.
    costs = batches.rows("samples", "2 * cost_nano_usd, tokens_in * 1000 + tokens_out * 4000")
    assert [twice for twice, _ in costs] == [full for _, full in costs]
    assert costs[0][0] > 0
    assert batches.rows("outcomes", "classification") == TOTAL * [("pass",)]


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_a_batch_leaves_unanswered_is_drawn_directly(batches: Lab, shop: BatchShop, vendor: str) -> None:
    shop.unanswered = 3

    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", f"{vendor}/m", *seeded(vendor))

    assert shown.code == 0, shown.err
    assert (shop.direct, shop.paid.total()) == (3, TOTAL)
    assert batches.rows("outcomes", "classification") == TOTAL * [("pass",)]


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batch_whose_maker_was_not_told_is_found_and_not_made_again(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    shop.drops = 1

    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", f"{vendor}/m", *seeded(vendor))

    assert shown.code == 0, shown.err
    assert (len(shop.batches), shop.paid.total(), shop.direct) == (1, TOTAL, 0)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batch_that_was_refused_first_and_then_not_heard_of_is_made_once(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    shop.fails = shop.drops = 1

    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", f"{vendor}/m", *seeded(vendor))

    assert shown.code == 0, shown.err
    assert (len(shop.batches), shop.paid.total(), shop.direct) == (1, TOTAL, 0)


def test_a_vendor_that_answers_in_an_unknown_form_stops_the_run_and_loses_nothing(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def odd(*_: object) -> bool:
        raise KeyError("status")

    with monkeypatch.context() as broken:
        broken.setattr("steelyard.providers.llm.batch.openai.OpenAiBatches.is_ended", odd)
        shown = batches.run("--batch", "--eval-set", "small.toml", "--seed", "0")

    assert shown.code == 3
    assert "in a form that we do not know" in shown.err
    assert batches.resume().code == 0
    assert (shop.paid.total(), len(shop.batches)) == (TOTAL, 1)


def test_a_run_that_goes_on_reserves_money_for_the_batches_under_way(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> bool:
        raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)

    with monkeypatch.context() as broken:
        broken.setattr("steelyard.providers.llm.batch.openai.OpenAiBatches.is_ended", gone)
        batches.run("--batch", "--eval-set", "small.toml", "--seed", "0")
    reserved = list[int]()
    reserve = Budget.reserve

    def seen(budget: Budget, amount: int) -> object:
        reserved.append(amount)
        return reserve(budget, amount)

    monkeypatch.setattr(Budget, "reserve", seen)

    assert batches.run("--resume", RUN, "--max-usd", "1").code == 0
    assert max(reserved) > 0
    assert shop.paid.total() == TOTAL


def test_a_forecast_says_half_the_price(batches: Lab) -> None:
    words = ("--eval-set", "small.toml", "--models", "openai/m", "--dry-run", "--format", "json")
    direct, batch = (json.loads(batches.run(*words, *more).out) for more in ((), ("--batch",)))

    assert batch["cost_nano_usd"] == direct["cost_nano_usd"] // 2 > 0


def test_the_files_of_batches_hold_no_key_and_no_prompt(batches: Lab) -> None:
    batches.run("--batch", "--eval-set", "small.toml", "--seed", "0")

    [path] = (batches.folder / RUN / "batches").iterdir()
    text = path.read_text(encoding="utf-8")
    assert len(json.loads(text)["keys"]) == TOTAL
    assert KEY not in text
    assert "Say yes" not in text


def test_a_budget_that_is_too_small_for_a_batch_submits_none(batches: Lab, shop: BatchShop) -> None:
    shown = batches.run("--batch", "--eval-set", "small.toml", "--seed", "0", "--max-usd", "0.000001")

    assert shown.code == 4
    assert not shop.batches


def test_a_run_that_goes_on_without_the_option_still_waits_for_its_batches(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> bool:
        raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)

    with monkeypatch.context() as broken:
        broken.setattr("steelyard.providers.llm.batch.openai.OpenAiBatches.is_ended", gone)
        assert batches.run("--batch", "--eval-set", "small.toml", "--seed", "0").code == 3

    shown = batches.resume()

    assert shown.code == 0, shown.err
    assert (shop.paid.total(), shop.direct, len(shop.batches)) == (TOTAL, 0, 1)


def test_a_provider_without_batches_is_refused_before_anything_is_drawn(
    batches: Lab, shop: BatchShop
) -> None:
    more = f'[providers.lab]\nkind = "vllm"\nbase_url = "{shop.url("openai")}"\n'
    path = Path(batches.folder / "steelyard.toml")
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")

    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", "lab/m")

    assert shown.code == 2
    assert "no batches of 'vllm'" in shown.err


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_run_that_is_killed_again_and_again_pays_for_nothing_twice(
    tmp_path: Path, shop: BatchShop, vendor: str
) -> None:
    killed = killed_again_and_again(tmp_path, shop, vendor, kills=4, random=Random(vendor))

    assert killed == 4
    assert (shop.paid.total(), shop.direct) == (TOTAL, 0)
    assert sum(len(batch.requests) for batch in shop.batches.values()) == TOTAL
