"""`run --batch`: the results of batches are kept as they come."""

import json

import pytest

from perf.kill_batches import TOTAL
from steelyard.runner import telemetry
from tests.e2e.batches import PHASE, open_files, words
from tests.e2e.lab import Lab
from tests.fake_providers.batches import Batch, BatchShop, Json
from tests.runner.test_telemetry import Collected


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_results_that_break_off_are_kept_as_far_as_they_came_and_asked_for_again(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    monkeypatch.setattr("steelyard.runner.batch.commit.COMMIT_ROWS", 2)
    shop.breaks = 2
    with monkeypatch.context() as impatient:
        impatient.setattr(f"{PHASE}.FAILING_S", 0.0)
        shown = batches.run("--batch", *words(vendor))

    assert shown.code == 3
    assert "the connection broke" in shown.err
    assert batches.rows("samples", "count(*)") == [(4,)]
    assert len(open_files(batches)) == 1

    assert batches.resume("--batch").code == 0
    assert batches.rows("samples", "count(*), count(DISTINCT (case_id, attempt))") == [(TOTAL, TOTAL)]
    assert (shop.paid.total(), shop.direct, len(shop.batches)) == (TOTAL, 0, 1)


@pytest.mark.check_all
def test_each_answer_is_reported_once_with_its_tokens_and_cost(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the log of calls and to OpenTelemetry, also where results break off and come again."""
    collected = Collected()
    monkeypatch.setattr(telemetry, "_otel", collected.instruments)
    monkeypatch.setattr("steelyard.runner.batch.commit.COMMIT_ROWS", 2)
    shop.breaks = 1

    shown = batches.run("--batch", *words("openai"), "--log-file", "calls.jsonl")

    assert shown.code == 0, shown.err
    lines = (batches.folder / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    calls = list(map(json.loads, lines))
    assert len({(call["case"], call["attempt"]) for call in calls}) == len(calls) == TOTAL
    assert {call["ended"] for call in calls} == {"ok"}
    assert not any("latency_s" in call for call in calls)
    [(tokens, nano_usd)] = batches.rows("samples", "sum(tokens_in + tokens_out), sum(cost_nano_usd)")
    assert sum(call["cost_usd"] for call in calls) == pytest.approx(nano_usd / 1e9)
    totals = collected.totals()
    assert totals["gen_ai.client.token.usage"] == tokens
    assert totals["steelyard.cost"] == pytest.approx(nano_usd / 1e9)
    assert not [span for span in collected.spans() if span.name.startswith("chat")]


def test_a_result_of_another_place_answers_nothing(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = BatchShop.answers

    def with_others(self: BatchShop, batch: Batch) -> list[tuple[str, Json | None]]:
        found = list(answers(self, batch))
        return [*found, *((name, found[0][1]) for name in ("-1", str(TOTAL)))]

    monkeypatch.setattr(BatchShop, "answers", with_others)

    assert batches.run("--batch", *words("openai")).code == 0
    assert batches.rows("samples", "count(*)") == [(TOTAL,)]
    assert shop.direct == 0
