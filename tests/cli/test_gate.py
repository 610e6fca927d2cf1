"""`steelyard gate`: a verdict and its exit code."""

import json
from pathlib import Path

import pytest

from steelyard.cli.main import main
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import Counts, run

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10
BROKEN = [(5, 0), *STEADY[1:]]
FLAKY = [(1, 1)] * 50
SUSPECT = [(1, 0), *FLAKY[1:]]


@pytest.fixture
def saved(tmp_path: Path) -> dict[str, str]:
    runs: dict[str, Counts] = {
        "steady": STEADY,
        "broken": BROKEN,
        "fewer": STEADY[:40],
        "few": [(1, 1)] * 4,
        "flaky": FLAKY,
        "suspect": SUSPECT,
        "fresh": [(10, 10)],
        "gone": [(10, 0)],
    }
    for name, counts in runs.items():
        (tmp_path / f"{name}.json").write_text(JsonRenderer().render(run(counts)), encoding="utf-8")
    return {name: str(tmp_path / f"{name}.json") for name in runs}


def gate(saved: dict[str, str], baseline: str, current: str, *options: str) -> int:
    return main(["gate", "--baseline", saved[baseline], "--current", saved[current], *options])


@pytest.mark.parametrize(
    ("baseline", "current", "code"), [("steady", "steady", 0), ("steady", "broken", 1), ("few", "few", 4)]
)
def test_the_exit_code_tells_the_verdict(
    saved: dict[str, str], baseline: str, current: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, baseline, current) == code
    assert capsys.readouterr().out.startswith({0: "PASS", 1: "FAIL", 4: "INCONCLUSIVE"}[code])


def test_missing_cases_keep_a_gate_from_passing_unless_allowed(saved: dict[str, str]) -> None:
    assert gate(saved, "steady", "fewer") == 4
    assert gate(saved, "steady", "fewer", "--allow-missing") == 0


def test_what_is_still_to_be_confirmed_has_not_passed(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "suspect", "--confirm", "--margin", "0.5") == 4
    assert "case-000" in capsys.readouterr().out


@pytest.mark.parametrize(("fresh", "code"), [("gone", 1), ("fresh", 0)])
def test_the_second_stage_goes_by_the_fresh_reports(saved: dict[str, str], fresh: str, code: int) -> None:
    options = ["--fresh-baseline", saved["fresh"], "--fresh-current", saved[fresh], "--margin", "0.5"]

    assert gate(saved, "flaky", "suspect", *options) == code


def test_a_look_and_an_anytime_round_have_their_own_bounds(saved: dict[str, str]) -> None:
    assert gate(saved, "steady", "broken", "--look", "1") == 4
    assert gate(saved, "flaky", "suspect", "--anytime", "--earlier", "25,0") == 1


def test_looks_that_end_without_a_drop_do_not_pass_while_one_is_plausible(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "suspect", "--look", "5", "--format", "json") == 4
    [subject] = json.loads(capsys.readouterr().out)["subjects"]
    assert subject["decision"]["grounds"] == ["not_ruled_out"]
    assert subject["decision"]["evidence"]["largest_plausible_drop"] > 0.05
    assert gate(saved, "flaky", "suspect", "--look", "5") == 4
    assert "was shown, nor one of 5 points ruled out" in capsys.readouterr().out


def test_json_says_the_same(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gate(saved, "steady", "broken", "--format", "json", "-o", str(tmp_path / "gate.md"))

    assert json.loads(capsys.readouterr().out)["verdict"] == "fail"
    assert "case-000" in (tmp_path / "gate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--confirm", "--look", "1"], "choose one of"),
        (["--fresh-baseline", "x.json"], "both --fresh-baseline and --fresh-current"),
        (["--anytime", "--earlier", "12"], "LOSSES,WINS"),
        (["--alpha", "0.7"], "alpha"),
        (["--look", "9"], "--look"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    saved: dict[str, str], options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "flaky", *options) == 2
    assert told in capsys.readouterr().err
