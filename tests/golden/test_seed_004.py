"""Seed 004, the FailProof scoring page: its examples and enhancements, in Python and on the command line."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import steelyard
from steelyard.metrics.latency import latency_score
from steelyard.metrics.scoring import Accuracy
from steelyard.model.outcome import Classification, Facts
from steelyard.render.text import TextRenderer
from tests.commands import scored, written

TWO_SUITES = {"injection": (20, 18), "contradictions": (10, 8)}


def results(suites: dict[str, tuple[int, int]], failure: str = "fail") -> str:
    """Return results as FailProof writes them: so many cases of each suite, so many of them passed."""
    rows = [
        {
            "case_id": f"{suite}-{place:02d}",
            "suite_id": suite,
            "model_id": "m",
            "classification": {"primary": "pass" if place < passes else failure},
        }
        for suite, (cases, passes) in suites.items()
        for place in range(cases)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("kind", "accuracy"), [("pass", 1), ("fail", 0), ("refusal", 0), ("wrong_format", 0), ("timeout", 0)]
)
def test_accuracy_is_1_for_a_pass_and_0_for_anything_else(kind: str, accuracy: int) -> None:
    assert Accuracy().score(Facts(classification=Classification(kind))) == accuracy


def test_example_1_a_single_suite_in_python() -> None:
    assert steelyard.suite_score([1] * 7 + [0] * 3) == Fraction(70, 100)


def test_example_1_a_single_suite_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, results({"json_api": (10, 7)}), "results.jsonl"))

    (suite,) = report["suites"]
    assert (suite["suite"], suite["cases"], suite["passed"]) == ("json_api", 10, 7)
    assert suite["accuracy"]["value"] == 0.7
    assert report["settings"]["scoring"]["name"] == "accuracy"


def test_example_2_the_overall_score_in_python() -> None:
    scores = {
        suite: steelyard.suite_score([1] * passes + [0] * (cases - passes))
        for suite, (cases, passes) in TWO_SUITES.items()
    }

    assert scores == {"injection": Fraction(90, 100), "contradictions": Fraction(80, 100)}
    assert steelyard.overall_score(scores) == Fraction(85, 100)


def test_example_2_the_overall_score_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, results(TWO_SUITES), "results.jsonl"))

    accuracies = {suite["suite"]: suite["accuracy"]["value"] for suite in report["suites"]}
    assert accuracies == {"injection": 0.9, "contradictions": 0.8}
    assert report["subjects"][0]["overall"]["macro"]["value"] == 0.85
    assert report["subjects"][0]["overall"]["pooled"]["value"] == 26 / 30


def test_weighted_suites_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, results(TWO_SUITES), "results.jsonl")

    report = scored(capsys, path, "--suite-weight", "injection=3", "--suite-weight", "contradictions=1")

    by_hand = steelyard.overall_score({"injection": "0.9", "contradictions": "0.8"}, {"injection": 3})
    assert by_hand == Fraction(875, 1000)
    assert report["subjects"][0]["overall"]["weighted"]["value"] == 0.875


def test_penalties_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, results({"s": (4, 2)}, failure="refusal"), "results.jsonl")

    report = scored(capsys, path, "--penalty", "refusal=0.5")

    rule = Accuracy(penalties={Classification.REFUSAL: 0.5})
    assert rule.score(Facts(classification=Classification.REFUSAL)) == Fraction(1, 2)
    assert report["subjects"][0]["score"]["value"] == 0.75
    assert report["suites"][0]["accuracy"]["value"] == 0.5  # the suite score stays pass or fail


def test_a_latency_score_apart_from_correctness_both_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "model,case,classification,latency_s\nm,c,pass,2\nm,d,fail,2\n")

    subject = scored(capsys, path, "--latency-good", "1", "--latency-bad", "5")["subjects"][0]

    assert latency_score(2, good_s=1, bad_s=5) == Fraction(3, 4)
    assert subject["latency_score"]["value"] == 0.75
    assert subject["score"]["value"] == 0.5


def test_the_default_report_shows_the_overall_run_score(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(results(TWO_SUITES), encoding="utf-8")

    text = TextRenderer(details=False).render(steelyard.score_files([path]))

    header, _, row = text.splitlines()[2:5]
    assert "overall" in header
    assert "85 %" in row
