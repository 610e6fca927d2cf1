"""`run --batch`: half the price, and what was submitted is paid for once, whatever happens to the run."""

import json
from pathlib import Path
from random import Random

import pytest

from perf.kill_batches import TOTAL, Verdict, Victim, killed_often, without_money_and_time
from steelyard.errors import ProviderError
from steelyard.store.run.batches import BatchFiles, OpenBatch
from steelyard.store.run.run_store import open_run
from tests.e2e.batches import OPENAI, PHASE, open_files, raising, words
from tests.e2e.lab import KEY, RUN, VENDORS, Lab
from tests.fake_providers.batches import BatchShop, selling
from tests.store.run.s3_server import new_bucket, s3_server

ANSWER = '{"model": "openai/m", "case": "case-00", "text": "yes"}\n'


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batch_brings_every_answer_at_half_the_price(batches: Lab, shop: BatchShop, vendor: str) -> None:
    shown = batches.run("--batch", *words(vendor))

    assert shown.code == 0, shown.err
    assert (shop.direct, len(shop.batches), shop.paid.total()) == (0, 1, TOTAL)
    # As `lab.config` prices it: 1 and 4 USD for a million tokens.
    costs = batches.rows("samples", "2 * cost_nano_usd, tokens_in * 1000 + tokens_out * 4000")
    assert [twice for twice, _ in costs] == [full for _, full in costs]
    assert costs[0][0] > 0
    assert len(batches.rows("outcomes", "classification")) == TOTAL
    assert open_files(batches) == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_report_is_that_of_direct_generating_but_for_money_and_time(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    batches.run("--batch", *words(vendor))
    by_batch = without_money_and_time(batches.report())
    batches.typed("run", "--run", "runs/two", "--quiet", "-o", "report.json", *words(vendor))

    assert shop.direct == TOTAL
    assert by_batch == without_money_and_time(batches.report())
    assert '"passed": 0' not in json.dumps(by_batch)


@pytest.mark.check_all
@pytest.mark.parametrize("vendor", VENDORS)
def test_what_a_batch_leaves_unanswered_is_generated_directly(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    shop.unanswered = 3

    shown = batches.run("--batch", *words(vendor))

    assert shown.code == 0, shown.err
    assert "3 without an answer, generated directly" in shown.err
    assert (shop.direct, shop.paid.total(), len(shop.batches)) == (3, TOTAL, 1)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batch_that_expires_as_a_whole_is_generated_directly(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    shop.unanswered = TOTAL

    assert batches.run("--batch", *words(vendor)).code == 0
    assert (shop.direct, shop.paid.total(), len(shop.batches)) == (TOTAL, TOTAL, 1)


@pytest.mark.parametrize(
    ("vendor", "fault"), [*((vendor, "errors") for vendor in VENDORS), ("openai", "drops")]
)
def test_a_batch_that_was_taken_and_not_confirmed_is_found_and_not_made_again(
    batches: Lab, shop: BatchShop, vendor: str, fault: str
) -> None:
    setattr(shop, fault, 1)
    shop.hides = 2

    shown = batches.run("--batch", *words(vendor))

    assert shown.code == 0, shown.err
    assert "submitted" in shown.err
    assert (len(shop.batches), shop.paid.total(), shop.direct) == (1, TOTAL, 0)


def test_a_batch_that_was_not_taken_is_made_when_it_is_surely_missing(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PHASE}.SURE_S", 0.5)
    shop.fails = 1

    shown = batches.run("--batch", *words("anthropic"))

    assert shown.code == 0, shown.err
    assert (len(shop.batches), shop.paid.total(), shop.direct) == (1, TOTAL, 0)


def test_a_vendor_that_never_takes_a_batch_stops_the_run(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PHASE}.SURE_S", 0.1)
    shop.fails = 100

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert "3 batches" in shown.err
    assert (shop.paid.total(), open_files(batches)) == (0, [])


def test_a_batch_that_is_refused_stops_the_run_and_can_be_resumed_directly(
    batches: Lab, shop: BatchShop
) -> None:
    shop.refuses = 1

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert "this model has no batches" in shown.err
    assert (shop.paid.total(), open_files(batches)) == (0, [])
    assert batches.resume().code == 0
    assert (shop.paid.total(), shop.direct) == (TOTAL, TOTAL)


@pytest.mark.parametrize("vendor", ["openai", "google"])
def test_a_batch_that_is_refused_after_it_was_taken_stops_the_run_with_the_vendors_words(
    batches: Lab, shop: BatchShop, vendor: str
) -> None:
    shop.spoils = "no batches of this kind"

    shown = batches.run("--batch", *words(vendor))

    assert shown.code == 3
    assert "no batches" in shown.err
    assert (shop.direct, open_files(batches)) == (0, [])


@pytest.mark.check_all
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendor_that_wants_no_more_batches_for_now_gets_them_later(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    monkeypatch.setattr(f"{PHASE}.LONGEST_PAUSE_S", 0.05)
    shop.throttles = 2

    shown = batches.run("--batch", *words(vendor))

    assert shown.code == 0, shown.err
    assert "not accepted for now" in shown.err
    assert (shop.direct, len(shop.batches), shop.paid.total()) == (0, 1, TOTAL)


def test_a_vendor_that_asks_for_a_day_of_waiting_stops_the_run(batches: Lab, shop: BatchShop) -> None:
    shop.throttles, shop.throttle_s = 1, 86_400

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert (shop.direct, open_files(batches)) == (0, [])


def test_a_vendor_that_is_not_there_stops_the_run_at_once(batches: Lab, shop: BatchShop) -> None:
    path = batches.folder / "steelyard.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(str(shop.port), "1"), encoding="utf-8")

    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert "is `base_url` right" in shown.err
    assert open_files(batches) == []


@pytest.mark.check_all
def test_ctrl_c_stops_waiting_and_the_run_goes_on_later(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as pressed:
        pressed.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
        shown = batches.run("--batch", *words("openai"))

    assert shown.code == 130
    assert "`--resume` with `--batch`" in shown.err
    assert len(open_files(batches)) == 1
    assert batches.resume("--batch").code == 0
    assert (shop.paid.total(), shop.direct, len(shop.batches)) == (TOTAL, 0, 1)


def test_a_process_that_another_has_overtaken_submits_nothing(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = BatchFiles.write

    def overtaken(files: BatchFiles, batch: OpenBatch) -> None:
        write(files, batch)
        open_run(batches.folder / RUN).hold().claim()

    monkeypatch.setattr(BatchFiles, "write", overtaken)
    shown = batches.run("--batch", *words("openai"))

    assert shown.code == 3
    assert "another process" in shown.err
    assert (shop.paid.total(), open_files(batches)) == (0, [])


@pytest.mark.check_all
def test_a_run_in_a_bucket_finds_its_batches_again(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.errors = 1
    with s3_server() as server:
        address = f"{new_bucket(server)}/run"
        with monkeypatch.context() as pressed:
            pressed.setattr(f"{OPENAI}.find", raising(KeyboardInterrupt()))
            shown = batches.typed("run", "--run", address, "--quiet", "--batch", *words("openai"))
        assert shown.code == 4, shown.err
        assert (shop.paid.total(), len(shop.batches)) == (TOTAL, 1)

        assert batches.typed("run", "--resume", address, "--quiet").code == 0

    assert (shop.paid.total(), len(shop.batches), shop.direct) == (TOTAL, 1, 0)


@pytest.mark.check_all
def test_each_shard_generates_its_own_batches(batches: Lab, shop: BatchShop) -> None:
    for part in ("1", "2"):
        address, shard = ("--run", f"runs/{part}"), ("--shard", f"{part}/2")
        shown = batches.typed("run", *address, *shard, "--quiet", "--batch", *words("openai"))
        assert shown.code == 0, shown.err

    assert batches.typed("merge", "runs/1", "runs/2", "--into", "runs/whole").code == 0
    assert [len(batch.requests) for batch in shop.batches.values()] == [TOTAL // 2, TOTAL // 2]
    assert (max(shop.paid.values()), shop.paid.total(), shop.direct) == (1, TOTAL, 0)


@pytest.mark.check_all
def test_a_run_that_goes_on_without_the_option_still_collects_its_batches(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = ProviderError("the key is wrong", kind="bad_key", is_fatal=True)
    with monkeypatch.context() as broken:
        broken.setattr(f"{OPENAI}.is_ended", raising(wrong))
        shown = batches.run("--batch", *words("openai"))

    [path] = open_files(batches)
    assert shown.code == 3
    assert f"{RUN}/batches/{path.name}" in shown.err
    assert batches.resume().code == 0
    assert (shop.paid.total(), shop.direct, len(shop.batches)) == (TOTAL, 0, 1)


@pytest.mark.check_all
def test_a_short_outage_is_waited_out_and_a_long_one_stops_the_run(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.looks = 0
    with monkeypatch.context() as broken:
        down = ProviderError("down", kind="unreachable", may_retry=True)
        broken.setattr(f"{OPENAI}.is_ended", raising(down, times=5))
        broken.setattr(f"{PHASE}.FAILING_S", 0.0)
        assert batches.run("--batch", *words("openai")).code == 3
        broken.setattr(f"{PHASE}.FAILING_S", 600.0)
        assert batches.resume("--batch").code == 0  # four more failures, and then an end

    assert (shop.paid.total(), len(shop.batches), shop.direct) == (TOTAL, 1, 0)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_runs_that_are_killed_again_and_again_pay_for_nothing_twice_and_lose_nothing(tmp_path: Path) -> None:
    found = killed_often(tmp_path, kills=10, seed=7)

    assert found == Verdict(kills=found.kills, stages=found.stages, runs=found.runs)
    assert found.kills >= 10


@pytest.mark.check_all
def test_a_run_that_ends_with_an_error_is_seen_by_the_script_that_kills_runs(tmp_path: Path) -> None:
    with selling(BatchShop(refuses=9)) as shop, pytest.raises(AssertionError, match="has no batches"):
        Victim(tmp_path / "it", shop, "anthropic").killed(Random(1))


@pytest.mark.check_all
def test_models_of_several_vendors_get_a_batch_each(batches: Lab, shop: BatchShop) -> None:
    models = "openai/m,openai/n,google/m"
    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", models, "--seed", "0")

    assert shown.code == 0, shown.err
    assert sorted(len(batch.requests) for batch in shop.batches.values()) == [TOTAL, TOTAL, TOTAL]
    assert (shop.direct, set(shop.paid.values())) == (0, {1, 2})


@pytest.mark.parametrize(("limit", "value"), [("most_requests", 5), ("most_bytes", 5 * 460)])
def test_a_batch_is_cut_at_the_limits_of_its_vendor(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(f"{OPENAI}.{limit}", value)

    assert batches.run("--batch", *words("openai")).code == 0
    assert [len(batch.requests) for batch in shop.batches.values()] == [5, 5, 2]
    assert (shop.paid.total(), max(shop.paid.values())) == (TOTAL, 1)


def test_what_cannot_be_said_in_a_vendors_words_is_left_to_the_session(batches: Lab, shop: BatchShop) -> None:
    shown = batches.run("--batch", "--eval-set", "small.toml", "--models", "anthropic/m", "--seed", "0")

    assert "does not take `seed`" in shown.err
    assert (shop.paid.total(), len(shop.batches)) == (0, 0)


def test_the_files_of_batches_hold_no_key_and_no_prompt(
    batches: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
    shown = batches.run("--batch", *words("openai"))

    [path] = open_files(batches)
    text = path.read_text(encoding="utf-8")
    assert len(json.loads(text)["requests"]) == TOTAL
    assert json.loads(text)["id"] in shop.batches
    assert shop.keys == {KEY}
    assert KEY not in text + shown.err + shown.out
    assert "Say yes" not in text


def test_models_stay_as_long_as_answers_are_in_batches(batches: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{OPENAI}.is_ended", raising(KeyboardInterrupt()))
    batches.run("--batch", *words("openai"))

    (batches.folder / "answers.jsonl").write_text(ANSWER, encoding="utf-8")

    for refused in (
        batches.resume("--replace-model", "openai/m=openai/n"),
        batches.resume("--replay", "answers.jsonl"),
        batches.typed("regrade", RUN, "--eval-set", "small.toml"),
    ):
        assert refused.code == 2
        assert "still in batches" in refused.err
    assert not open_run(batches.folder / RUN).manifest.recorded


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ("--models", "lab/m"),
            "lab (vllm) has no batch interface; there are batches of openai, anthropic, google",
        ),
        (("--models", "ollama/m"), "ollama has no batch interface"),
        (("--engine", "ray"), "--batch and --engine ray do not go together"),
        (("--replay", "answers.jsonl"), "--batch and --replay do not go together"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_generated(
    batches: Lab, shop: BatchShop, more: tuple[str, ...], said: str
) -> None:
    lab = f'[providers.lab]\nkind = "vllm"\nbase_url = "{shop.url("openai")}"\n'
    path = batches.folder / "steelyard.toml"
    path.write_text(path.read_text(encoding="utf-8") + lab, encoding="utf-8")
    (batches.folder / "answers.jsonl").write_text(ANSWER, encoding="utf-8")

    shown = batches.run("--batch", "--eval-set", "small.toml", *more)

    assert shown.code == 2
    assert said in shown.err
    assert not (batches.folder / RUN).exists()
