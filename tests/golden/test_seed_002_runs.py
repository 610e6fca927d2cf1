"""Seed 002, the ProjectScylla metrics page, end to end: generated, checked, judged, counted and reported."""

import json
from pathlib import Path

import pytest

from steelyard.metrics.summaries import population_variance
from steelyard.model.sample import JUDGE_TIER
from tests.checks.forms.judge.simulated_judges import LABEL, SEAL
from tests.commands import Json, strict_json, typed
from tests.examples.test_examples import EXAMPLES
from tests.fake_providers.asked import Answer, Asked
from tests.fake_providers.server import Behaviour, serving

FOLDER = EXAMPLES / "tiers" / "seed-002"
SEVEN = {"median", "mean", "mode", "min", "max", "std_dev", "count", "reason"}
RATING = 0.85


def replayed(capsys: pytest.CaptureFixture[str], folder: Path, name: str, *options: str) -> Json:
    """Run an example with its recorded answers and judges' replies, and return the report."""
    answers = FOLDER / f"{name}-answers.jsonl"
    words = ("--eval-set", FOLDER / f"{name}.toml", "--replay", answers, "--run", folder / name, "--quiet")
    shown = typed(capsys, "run", *words, "--format", "json", *options)
    assert shown.code == 0, shown.err
    return strict_json(shown.out)


def test_example_1_a_single_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (subject,) = replayed(capsys, tmp_path, "example-1")["subjects"]

    (run,) = subject["runs"]["runs"]
    assert (run["pass_rate"], run["impl_rate"], run["cost_usd"]) == (1.0, 0.85, 0.5)
    assert run["cost_of_pass"]["value"] == 0.5
    assert run["score"] == 0.925
    assert run["duration_s"] == 60
    assert subject["runs"]["grade"]["letter"] == "B"


@pytest.fixture
def tiers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Json:
    """The report of examples 2 and 3."""
    return replayed(capsys, tmp_path, "example-2", "--expert-usd", "20")


def by_tier(report: Json) -> dict[str, Json]:
    return {subject["tier"]: subject["runs"] for subject in report["subjects"]}


def test_example_2_ten_runs_put_together(tiers: Json) -> None:
    found = by_tier(tiers)["T0"]

    assert [run["pass_rate"] for run in found["runs"]] == [1, 1, 0, 1, 1, 1, 0, 1, 1, 1]
    expected = {"median": 1.0, "mean": 0.8, "mode": 1.0, "min": 0.0, "max": 1.0, "std_dev": 0.4, "count": 10}
    assert found["spreads"]["pass_rate"] == {**expected, "reason": None}


def test_example_3_uplifts_and_variance_across_tiers(tiers: Json) -> None:
    runs = by_tier(tiers)
    medians = {tier: found["spreads"]["score"]["median"] for tier, found in runs.items()}
    uplifts = {tier: found["uplift_of_median"] for tier, found in runs.items()}

    assert medians == {"T0": 0.7, "T1": 0.8, "T2": 0.85, "T3": 0.9}
    assert uplifts["T0"] is None
    assert {tier: round(uplifts[tier]["value"], 3) for tier in ("T1", "T2", "T3")} == {
        "T1": 0.143,
        "T2": 0.214,
        "T3": 0.286,
    }
    variance = population_variance(medians.values())
    assert variance is not None
    assert round(float(variance), 5) == 0.00547


def test_every_number_that_the_page_defines_is_in_the_report(tiers: Json) -> None:
    for tier, found in by_tier(tiers).items():
        assert len(found["runs"]) == found["whole"] == 10
        for name in ("pass_rate", "impl_rate", "cost_usd", "duration_s", "cost_of_pass", "score"):
            assert set(found["spreads"][name]) == SEVEN
            assert found["spreads"][name]["count"] == 10
        assert found["grade"]["letter"] == {"T0": "D", "T1": "C", "T2": "B", "T3": "B"}[tier]
        assert sum(found["grade"]["probabilities"].values()) == pytest.approx(1)


def test_a_run_without_a_pass_costs_infinitely_much(tiers: Json) -> None:
    found = by_tier(tiers)["T0"]

    failed = found["runs"][2]["cost_of_pass"]
    spread = found["spreads"]["cost_of_pass"]
    assert (failed["value"], failed["infinite"]) == (None, True)
    assert (spread["median"], spread["mean"], spread["max"], spread["reason"]) == (
        0.25,
        None,
        None,
        "no_passes",
    )
    assert tiers["subjects"][0]["cost_of_pass"]["value"] == pytest.approx(
        2.5 / 8
    )  # of the group: cost / passes


def test_the_tiers_are_compared_as_the_page_compares_them(tiers: Json) -> None:
    (spread,) = tiers["tiers"]

    costs = [0.25, 0.30, 0.40, 0.90]
    variance = population_variance(map(str, costs))
    assert variance is not None
    assert spread["over_runs"]["pass_rate_variance"]["value"] == 0  # medians of 1 in every tier
    assert spread["over_runs"]["cost_variance"]["value"] == pytest.approx(float(variance))
    assert spread["over_runs"]["cost_delta_usd"]["value"] == pytest.approx(0.65)


def test_what_the_page_lacks_is_there_too(tiers: Json) -> None:
    assert tiers["frontier"]["value"] == pytest.approx(0.30)  # T1 always passes, for 30 cents
    assert (tiers["frontier"]["cases"], tiers["frontier"]["capped"]) == (1, 0)
    assert (tiers["judges"]["rubric"], tiers["judges"]["answers"]) == ("all-of-it", 5)


def judged_by_wire(asked: Asked) -> Answer:
    """Answer as the model of example 1, or as a judge, whichever is asked."""
    if not asked.model.endswith("judge"):
        return Answer(text="T0: done, all but the small things", tokens_in=1_000, tokens_out=100)
    ratings = {label: {"reason": "", "rating": RATING} for label in LABEL.findall(asked.prompt)}
    form = {"seal": SEAL.findall(asked.prompt)[-1], "ratings": ratings, "confidence": 1, "total": RATING}
    return Answer(text=json.dumps({**form, "tampering": False}), tokens_in=2_000, tokens_out=200)


def test_a_model_and_its_judge_over_the_wire_give_the_same_scores(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_KEY", "any")
    monkeypatch.chdir(tmp_path)
    with serving(Behaviour(answer=judged_by_wire)) as server:
        prices = '[[prices]]\nmodel = "acme/*"\ninput = 5.0\noutput = 15.0\n'
        reached = f'base_url = "{server.url("openai")}"\napi_key_env = "ACME_KEY"\n'
        config = f'[providers.acme]\nkind = "openai"\n{reached}{prices}'
        (tmp_path / "steelyard.toml").write_text(config, encoding="utf-8")
        words = ("--models", "acme/agent", "--run", tmp_path / "wire", "--quiet", "--max-usd", "5")
        shown = typed(capsys, "run", "--eval-set", FOLDER / "example-1.toml", *words, "--format", "json")
        assert shown.code == 0, shown.err
        asked = server.requests

    report = strict_json(shown.out)
    (subject,) = report["subjects"]
    (run,) = subject["runs"]["runs"]
    assert asked == 2
    assert (run["score"], subject["runs"]["grade"]["letter"]) == (0.925, "B")
    assert run["cost_usd"] == pytest.approx(0.0065)  # input * price + output * price
    assert report["judges"]["cost_usd"] == pytest.approx(0.013)
    assert "spent $0.0065, on judges $0.0130" in shown.err
    (line,) = (tmp_path / "wire" / "judges" / "000000.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["tier"] == JUDGE_TIER
