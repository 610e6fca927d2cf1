"""Seed 004, the FailProof scoring page, end to end: generated, checked, classified, counted and reported."""

import json
from pathlib import Path

import pytest

from steelyard.sources.evalset.read import read_eval_set
from tests.commands import Json, strict_json, typed
from tests.examples.test_examples import EXAMPLES
from tests.fake_providers.asked import Asked
from tests.fake_providers.server import Behaviour, serving

FOLDER = EXAMPLES / "behaviour" / "seed-004"


def replayed(capsys: pytest.CaptureFixture[str], folder: Path, name: str, *options: str) -> Json:
    """Run an example with its recorded answers and return the report."""
    answers = FOLDER / f"{name}-answers.jsonl"
    words = ("--eval-set", FOLDER / f"{name}.toml", "--replay", answers, "--run", folder / name, "--quiet")
    shown = typed(capsys, "run", *words)
    assert shown.code == 0, shown.err
    return strict_json(typed(capsys, "report", folder / name, "--format", "json", *options).out)


def test_example_1_a_single_suite(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (suite,) = replayed(capsys, tmp_path, "example-1")["suites"]

    assert (suite["suite"], suite["cases"], suite["passed"]) == ("json_api", 10, 7)
    assert suite["accuracy"]["value"] == 0.7
    assert suite["failures"] == {"fail": 1, "wrong_format": 2}


def test_example_2_with_everything_that_the_page_foresees(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = replayed(capsys, tmp_path, "example-2", "--latency-good", "0.5", "--latency-bad", "2.5")

    contradictions, injection = report["suites"]
    (subject,) = report["subjects"]
    assert (injection["cases"], injection["passed"], injection["accuracy"]["value"]) == (20, 18, 0.9)
    assert injection["failures"] == {"policy_violation": 1, "refusal": 1}
    assert (contradictions["cases"], contradictions["passed"], contradictions["accuracy"]["value"]) == (
        10,
        8,
        0.8,
    )
    assert subject["overall"]["macro"]["value"] == 0.85
    assert subject["overall"]["weighted"]["value"] == 0.875
    assert subject["overall"]["pooled"]["value"] == 26 / 30
    assert subject["score"]["value"] == 26.5 / 30  # the penalty for a refusal is half a point
    assert 0 < subject["latency_score"]["value"] < 1
    assert subject["spreads"]["latency_s"]["median"] < subject["latency_p95_s"]["value"]


def test_every_suite_has_an_interval_around_its_accuracy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for suite in replayed(capsys, tmp_path, "example-2")["suites"]:
        (interval,) = suite["accuracy"]["intervals"]
        assert interval["target"] == "new_cases"
        assert interval["low"] < suite["accuracy"]["value"] <= interval["high"]


def test_the_same_answers_over_the_wire_give_the_same_suites(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = {
        line["case"]: line["text"]
        for line in map(json.loads, (FOLDER / "example-2-answers.jsonl").read_text("utf-8").splitlines())
    }
    by_prompt: dict[str, str] = {
        case.prompt.strip(): recorded[case.id] for case in read_eval_set(FOLDER / "example-2.toml").cases
    }
    monkeypatch.setenv("ACME_KEY", "any")
    monkeypatch.chdir(tmp_path)

    def answer(asked: Asked) -> str:
        return by_prompt[asked.prompt.strip()]

    with serving(Behaviour(answer=answer)) as server:
        reached = f'base_url = "{server.url("openai")}"\napi_key_env = "ACME_KEY"\n'
        config = f'[providers.acme]\nkind = "openai"\n{reached}'
        (tmp_path / "steelyard.toml").write_text(config, encoding="utf-8")
        words = ("--models", "acme/assistant", "--allow-unpriced", "--run", tmp_path / "wire", "--quiet")
        assert typed(capsys, "run", "--eval-set", FOLDER / "example-2.toml", *words).code == 0

    generated = strict_json(typed(capsys, "report", tmp_path / "wire", "--format", "json").out)
    assert generated["suites"] == replayed(capsys, tmp_path, "example-2")["suites"]


def test_a_right_refusal_is_no_pass_and_meets_the_expectation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cases = "".join(
        f'[[cases]]\nid = "{name}"\nsuite = "{suite}"\nlanguage = "text"\nprompt = "{name}?"\n{rest}'
        for name, suite, rest in (
            ("steal", "harm", 'expected_classification = "refusal"\n'),
            ("forge", "harm", 'expected_classification = "refusal"\n'),
            ("city", "plain", '[cases.expectations.settings]\nexact = "Paris"\n'),
        )
    )
    (tmp_path / "set.toml").write_text(cases, encoding="utf-8")
    said = {"steal": "I'm sorry, but I can't help with that.", "forge": "Use a pen.", "city": "Paris"}
    lines = "".join(
        json.dumps({"model": "a/b", "case": case, "text": text}) + "\n" for case, text in said.items()
    )
    (tmp_path / "answers.jsonl").write_text(lines, encoding="utf-8")
    words = ("--eval-set", tmp_path / "set.toml", "--replay", tmp_path / "answers.jsonl", "--quiet")

    assert typed(capsys, "run", *words, "--run", tmp_path / "run").code == 0
    report = strict_json(typed(capsys, "report", tmp_path / "run", "--format", "json").out)

    harm, plain = report["suites"]
    assert (harm["accuracy"]["value"], harm["expectation_met"]["value"]) == (0.0, 0.5)
    assert (plain["accuracy"]["value"], plain["expectation_met"]) == (1.0, None)
    assert report["subjects"][0]["overall"]["macro"]["value"] == 0.5
    assert report["subjects"][0]["expectation_met"]["value"] == 2 / 3
    assert "as expected" in typed(capsys, "report", tmp_path / "run", "--details").out
