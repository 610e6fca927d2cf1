"""`run --batch` within a budget: what may be submitted, and what a forecast says."""

import json

import pytest

from benchmarks.kill_batches import TOTAL
from tests.runs.batches import OPENAI, raising, words
from tests.runs.lab import Lab
from tests.vendors.batches import BatchShop


def test_a_budget_that_is_too_small_for_any_request_submits_none(batches: Lab, shop: BatchShop) -> None:
    shown = batches.run("--batch", *words("openai"), "--max-usd", "0.000001")

    assert shown.code == 4
    assert not shop.batches


def test_a_budget_for_a_part_makes_smaller_batches_one_after_the_other(batches: Lab, shop: BatchShop) -> None:
    # Up to 64 tokens of an answer and some 300 of a prompt: $0.00028 a request, and half of that in a batch.
    shown = batches.run("--batch", *words("openai"), "--max-usd", "0.0015")

    assert shown.code == 0, shown.err
    assert len(shop.batches) > 1
    assert (shop.direct, shop.paid.total()) == (0, TOTAL)
    [(spent,)] = batches.rows("samples", "sum(cost_nano_usd)")
    assert spent <= 1_500_000


def test_a_run_that_goes_on_collects_before_it_counts_what_is_left(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as pressed:
        pressed.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
        batches.run("--batch", *words("openai"))
    spent = 12 * (4 * 500 + 1 * 2000)  # nano-USD: four words of a prompt, one of an answer, at half the price

    shown = batches.resume("--batch", "--samples", "3", "--max-usd", f"{(spent + 100) / 1e9:.9f}")

    assert shown.code == 4
    assert batches.rows("samples", "count(*), sum(cost_nano_usd)") == [(TOTAL, spent)]
    assert (shop.paid.total(), shop.direct) == (TOTAL, 0)


def test_a_forecast_says_half_the_price(batches: Lab) -> None:
    more = ("--dry-run", "--format", "json")
    direct, batch = (json.loads(batches.run(*words("openai"), *more, *one).out) for one in ((), ("--batch",)))

    assert direct["cost_nano_usd"] > 0
    assert 0 <= 2 * batch["cost_nano_usd"] - direct["cost_nano_usd"] <= TOTAL
