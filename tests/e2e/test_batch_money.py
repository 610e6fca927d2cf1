"""`run --batch` within a budget: what may be submitted, and what a forecast says."""

import json
from dataclasses import replace

import pytest

from perf.kill_batches import TOTAL
from steelyard.model.request import Reply, Request, Usage
from steelyard.providers.batch.anthropic import AnthropicBatches
from steelyard.providers.batch.client import BatchClient
from steelyard.providers.llm.dialect import Post
from tests.e2e.batches import OPENAI, open_files, raising, words
from tests.e2e.lab import RUN, Lab
from tests.fake_providers.batches import BatchShop


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


def test_what_is_too_little_for_a_batch_is_not_spent_at_the_full_price(batches: Lab, shop: BatchShop) -> None:
    # Without a limit on tokens, a batch sets 128,000 aside at half the price, and a direct call 32,000.
    small = (batches.folder / "small.toml").read_text(encoding="utf-8")
    assert "max_tokens" in small
    (batches.folder / "small.toml").write_text(small.replace("max_tokens", "# max_tokens"), encoding="utf-8")

    shown = batches.run("--batch", *words("openai"), "--max-usd", "0.2")

    assert (shown.code, shop.direct, len(shop.batches)) == (4, 0, 0)
    assert (
        "the next answer might exceed the remaining budget: up to $0.26 in a batch, $0.2 remaining"
        in shown.err
    )
    assert "--max-tokens" in shown.err


@pytest.mark.check_all
def test_answers_are_checked_when_the_rest_is_too_dear_for_a_batch(batches: Lab, shop: BatchShop) -> None:
    shown = batches.run(
        "--batch", *words("openai"), "--max-usd", "0.00028"
    )  # room for a few, one after the other

    assert (shown.code, shop.direct) == (4, 0)
    assert 0 < shop.paid.total() < TOTAL
    assert batches.rows("outcomes", "count(*)") == [(shop.paid.total(),)]


@pytest.mark.check_all
def test_what_no_batch_can_say_takes_no_money_from_other_requests(batches: Lab, shop: BatchShop) -> None:
    """Anthropic takes no seed; its requests, named first, would use up the whole cap."""
    models = ("--models", "anthropic/m,openai/m", "--seed", "0")

    shown = batches.run("--batch", "--eval-set", "small.toml", *models, "--max-usd", "0.0015")

    assert "does not take `seed`" in shown.err
    assert (shop.direct, shop.paid.total()) == (0, TOTAL)
    assert {asked.model for batch in shop.batches.values() for _, asked in batch.requests.values()} == {"m"}


@pytest.mark.parametrize("models", ["openai/dear,openai/cheap", "openai/cheap,openai/dear"])
def test_a_dear_model_does_not_keep_a_cheap_one_from_its_batches(
    batches: Lab, shop: BatchShop, models: str
) -> None:
    path = batches.folder / "steelyard.toml"
    dear = '[[prices]]\nmodel = "openai/dear"\ninput = 1000.0\noutput = 4000.0\n'
    names, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(f"{names}\n{dear}{rest}", encoding="utf-8")  # the first price that fits counts

    words = ("--eval-set", "small.toml", "--models", models, "--seed", "0")
    shown = batches.run("--batch", *words, "--max-usd", "0.01")

    assert shown.code == 4
    assert "the next answer might exceed the remaining budget" in shown.err
    assert batches.rows("samples", "DISTINCT model") == [("openai/cheap",)]
    assert (shop.direct, shop.paid.total()) == (0, TOTAL)


@pytest.mark.check_all
def test_what_no_batch_can_say_is_worded_once(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, worded = AnthropicBatches.post, 0

    def post(self: AnthropicBatches, request: Request) -> Post:
        nonlocal worded
        worded += 1
        return real(self, request)

    monkeypatch.setattr(AnthropicBatches, "post", post)
    models = ("--models", "anthropic/m,openai/m", "--seed", "0")
    batches.run("--batch", "--eval-set", "small.toml", *models, "--max-usd", "0.0015")

    assert len(shop.batches) > 1
    assert worded == TOTAL


@pytest.mark.check_all
@pytest.mark.parametrize("is_read", [True, False])
def test_an_answer_of_unknown_cost_counts_with_all_that_was_set_aside(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch, *, is_read: bool
) -> None:
    """Such as one that does not say how long it is, or that cannot be read at all."""
    real, odd = BatchClient.reply, 1

    def reply(self: BatchClient, body: object) -> Reply | None:
        nonlocal odd
        found = real(self, body)
        if not odd or found is None:
            return found
        odd -= 1
        return replace(found, usage=Usage()) if is_read else None

    monkeypatch.setattr(BatchClient, "reply", reply)

    shown = batches.run("--batch", *words("openai"), "--max-usd", "1")

    assert shown.code == 0, shown.err
    assert shop.direct == (0 if is_read else 1)
    assert ("unreadable answer" in shown.err) != is_read
    unknown = json.loads((batches.folder / RUN / "unanswered.json").read_text(encoding="utf-8"))
    assert 50_000 < unknown["nano_usd"] < 300_000


@pytest.mark.check_all
def test_an_answer_of_unknown_cost_to_a_case_that_has_changed_counts_by_its_form_of_now(
    batches: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as pressed:
        pressed.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
        assert batches.run("--batch", *words("openai")).code == 4
    place = batches.folder / "small.toml"
    text = place.read_text(encoding="utf-8").replace("Say yes to case-00.", "Say yes to case-00, please.")
    place.write_text(text, encoding="utf-8")
    real = BatchClient.reply

    def reply(self: BatchClient, body: object) -> Reply | None:
        found = real(self, body)
        return found and replace(found, usage=Usage())

    monkeypatch.setattr(BatchClient, "reply", reply)

    shown = batches.resume("--batch", "--eval-set", "small.toml", "--max-usd", "1")

    assert shown.code == 0, shown.err
    assert open_files(batches) == []
    unknown = json.loads((batches.folder / RUN / "unanswered.json").read_text(encoding="utf-8"))
    assert unknown["nano_usd"] > 12 * 50_000


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
