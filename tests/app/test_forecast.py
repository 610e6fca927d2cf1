"""What a run would generate and cost is known before anything is called."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import UserError
from steelyard.model.config import Config, ProviderSettings
from steelyard.runner.batch.plan import LONGEST_ANSWER
from tests.commands import strict_json, typed

STORED = Path(__file__).parent / "data" / "small_set"
SET, ANSWERS = STORED / "set.toml", STORED / "answers.jsonl"
PRICE = {"lab/m": (3, 15)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_counts_are_exact_and_nothing_is_kept(folder: Path) -> None:
    found = steelyard.forecast_run(SET, models="lab/m", samples=5, prices=PRICE, max_tokens=100)

    cases, tiers = found.cases, len(found.subjects)
    assert found.answers == cases * tiers * 5
    assert {one.tokens_out for one in found.subjects} == {cases * 5 * 100}
    assert list(folder.iterdir()) == []


def test_cost_is_tokens_times_price_and_never_above_the_most() -> None:
    found = steelyard.forecast_run(SET, models="lab/m", tiers="T0", samples=1, prices=PRICE, max_tokens=1000)

    (one,) = found.subjects
    # Three dollars for a million tokens are 3,000 nano-dollars for one; rounding is by case.
    assert one.cost_nano_usd == 3_000 * one.tokens_in + 15_000 * one.tokens_out
    assert found.cost_nano_usd == one.cost_nano_usd
    assert one.max_cost_nano_usd is not None
    assert one.max_cost_nano_usd > one.cost_nano_usd


def test_an_answer_from_a_batch_may_be_as_long_as_the_run_sets_aside() -> None:
    def most(*, batch: bool, max_tokens: int | None = None) -> int | None:
        found = steelyard.forecast_run(
            SET,
            models="openai/m",
            limit=1,
            samples=1,
            tiers="T0",
            prices={"openai/m": (0, 15)},
            batch=batch,
            max_tokens=max_tokens,
        )
        return found.subjects[0].max_cost_nano_usd

    assert most(batch=False) == 32_000 * 15_000
    assert most(batch=True) == LONGEST_ANSWER * 15_000 // 2
    assert most(batch=True, max_tokens=100) == 100 * 15_000 // 2


def test_a_model_of_unknown_price_has_no_cost() -> None:
    found = steelyard.forecast_run(SET, models=["lab/m", "lab/other"], prices=PRICE)

    assert found.cost_nano_usd is None
    assert found.unpriced == ("lab/other",)


def test_an_earlier_run_says_how_long_answers_are() -> None:
    earlier = steelyard.run(SET, address="earlier", replay=ANSWERS, prices=PRICE)
    means = earlier.sql("SELECT tier, avg(tokens_out) AS mean FROM samples GROUP BY tier")

    found = steelyard.forecast_run(SET, models="lab/m", samples=2, prices=PRICE, like="earlier")

    expected = {row["tier"]: round(row["mean"]) * found.cases * 2 for row in means}
    assert {one.tier: one.tokens_out for one in found.subjects} == expected
    assert found.earlier == "earlier"
    assert found.seconds is not None


def test_a_resumed_run_counts_only_what_is_missing() -> None:
    first = steelyard.run(SET, address="mine", replay=ANSWERS, samples=2, tiers="T0")

    again = steelyard.forecast_run(resume=first.address, replay=ANSWERS)
    more = steelyard.forecast_run(resume=first.address, replay=ANSWERS, samples=3)

    assert (again.answers, more.answers) == (0, more.cases)


def test_a_part_of_the_set_is_run_and_kept_when_the_run_goes_on() -> None:
    ended = steelyard.run(SET, address="mine", replay=ANSWERS, tiers="T0", samples=1, limit=2)
    (kept,) = {len(ended.manifest.cases)}

    again = steelyard.run(resume="mine", replay=ANSWERS)

    assert kept == 2
    assert again.result.progress.total.planned == 2
    with pytest.raises(UserError, match=r"run.*cases"):
        steelyard.run(resume="mine", replay=ANSWERS, limit=1)


@pytest.mark.check_all
def test_a_run_of_a_part_grows_to_a_larger_part() -> None:
    first = steelyard.run(SET, address="mine", replay=ANSWERS, tiers="T0", samples=1, limit=2)
    before = {case.case for case in first.manifest.cases}

    more = steelyard.run(SET, resume="mine", replay=ANSWERS, limit=3)

    assert before < {case.case for case in more.manifest.cases}
    assert more.result.progress.total.checked == 3


def test_the_command_shows_the_forecast_and_exits_well(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", SET, "--models", "lab/m", "--price", "lab/m=3/15", "--limit", "2", "--dry-run")
    shown, as_json = typed(capsys, *words), typed(capsys, *words, "--format", "json")

    assert (shown.code, shown.err, list(folder.iterdir())) == (0, "", [])
    assert "Dry run: no model is called" in shown.out
    assert f"2 of {strict_json(as_json.out)['all_cases']} cases" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert (
        strict_json(as_json.out)["answers"] == strict_json(as_json.out)["samples"] * 4
    )  # two cases, two tiers


def test_an_eval_set_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "run", SET, "--eval-set", "other.toml", "--dry-run")

    assert shown.code == 2
    assert "remove one of them" in shown.err


def test_a_misspelt_provider_is_named_with_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "run", SET, "--models", "opnai/gpt-x,openai/gpt-x", "--dry-run")
    as_json = typed(capsys, "run", SET, "--models", "opnai/gpt-x", "--dry-run", "--format", "json")

    assert (shown.code, shown.err) == (0, "")
    assert 'No provider is named "opnai"; did you mean openai?\n' in shown.out
    assert strict_json(as_json.out)["unknown_providers"] == {"opnai": ["openai"]}


def test_a_provider_that_is_configured_or_recorded_is_known() -> None:
    own = {"lab": ProviderSettings(name="lab", kind="openai")}

    assert steelyard.forecast_run(SET, models="lab/m").unknown_providers == {"lab": ()}
    assert not steelyard.forecast_run(SET, models="lab/m", config=Config(providers=own)).unknown_providers
    assert not steelyard.forecast_run(SET, replay=ANSWERS).unknown_providers


def test_a_forecast_of_long_names_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    long = "openai/a-model-with-a-very-long-name-of-2026-02-30"

    shown = typed(capsys, "run", SET, "--models", f"{long},openai/m", "--dry-run")

    assert max(map(len, shown.out.splitlines())) <= 80
    assert shown.out.splitlines().count(long) == 1
