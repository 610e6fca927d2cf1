"""`steelyard gate`: a verdict and its exit code."""

import json
import os
import subprocess
import sys
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
    reports = {name: run(counts) for name, counts in runs.items()}
    reports |= {f"{name}-2": run(runs[name], night=2) for name in ("flaky", "suspect")}
    for name, report in reports.items():
        (tmp_path / f"{name}.json").write_text(JsonRenderer().render(report), encoding="utf-8")
    return {name: str(tmp_path / f"{name}.json") for name in reports}


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


@pytest.mark.skipif(os.name == "nt", reason="closes a pipe in the manner of Unix")
@pytest.mark.parametrize("closes", ["stdout", "both"])
def test_a_reader_that_goes_away_does_not_turn_a_failed_gate_into_a_pass(
    saved: dict[str, str], closes: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = ["gate", "--baseline", saved["steady"], "--current", saved["broken"]]
    errors = writing if closes == "both" else subprocess.DEVNULL

    ended = subprocess.run(
        [sys.executable, "-m", "steelyard", *command], stdout=writing, stderr=errors, check=False
    )

    os.close(writing)
    assert ended.returncode == 1


def test_missing_cases_keep_a_gate_from_passing_unless_allowed(saved: dict[str, str]) -> None:
    assert gate(saved, "steady", "fewer") == 4
    assert gate(saved, "steady", "fewer", "--allow-missing") == 0


def test_what_is_still_to_be_confirmed_has_not_passed(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "suspect", "--confirm", "--margin", "0.5") == 4
    shown = capsys.readouterr().out
    assert "case-000" in shown
    assert (
        f"steelyard gate --baseline {saved['flaky']} --current {saved['suspect']} --fresh-baseline" in shown
    )


def test_suspects_do_not_pass_as_too_few_samples(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "suspect", "--confirm", "--inconclusive", "pass") == 4
    assert "confirmed" in capsys.readouterr().err


@pytest.mark.parametrize(("fresh", "code"), [("gone", 1), ("fresh", 0)])
def test_the_second_stage_goes_by_the_fresh_reports(saved: dict[str, str], fresh: str, code: int) -> None:
    options = ["--fresh-baseline", saved["fresh"], "--fresh-current", saved[fresh], "--margin", "0.5"]

    assert gate(saved, "flaky", "suspect", *options) == code


def scored(folder: Path, name: str, tests_passed: int) -> str:
    """Score a file in which every sample passes so many of twenty tests, so that none is a pass."""
    rows = [
        f"m,c{case},{n},true,{tests_passed},{20 - tests_passed},0" for case in range(60) for n in range(5)
    ]
    header = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings"
    file, report = folder / f"{name}.csv", folder / f"{name}-scored.json"
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    assert main(["score", str(file), "-o", str(report)]) == 0
    return str(report)


def test_scores_that_fall_fail_a_gate_though_passes_do_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = {"good": scored(tmp_path, "good", 19), "bad": scored(tmp_path, "bad", 1)}
    capsys.readouterr()

    assert gate(reports, "good", "bad") == 1
    shown = capsys.readouterr().out
    assert "its mean score fell" in shown.splitlines()[0]
    assert "over 60 cases the mean score fell by 45 points" in shown
    assert gate(reports, "good", "bad", "--format", "json") == 1
    [subject] = json.loads(capsys.readouterr().out)["subjects"]
    assert subject["decision"]["grounds"] == ["score_drop"]
    assert gate(reports, "good", "good") == 0
    assert "the largest plausible drop of the score is" in capsys.readouterr().out


def test_eight_broken_cases_do_not_pass_because_others_rose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs: dict[str, Counts] = {
        "before": [(5, 5)] * 8 + [(5, 2)] * 40 + [(5, 5)] * 116,
        "after": [(5, 0)] * 8 + [(5, 3)] * 40 + [(5, 5)] * 116,
    }
    for name, counts in runs.items():
        (tmp_path / f"{name}.json").write_text(JsonRenderer().render(run(counts)), encoding="utf-8")
    files = {name: str(tmp_path / f"{name}.json") for name in runs}

    assert gate(files, "before", "after") == 1
    shown = capsys.readouterr().out
    assert all(f"case-{case:03d}" in shown for case in range(8))


def test_the_rounds_of_a_sequence_are_kept_in_its_file(
    saved: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sequence.json"

    assert gate(saved, "flaky", "suspect", "--sequence", str(file)) == 4
    assert "1 round: 1 loss, 0 wins, 49 ties; e-value 1.2 for a drop" in capsys.readouterr().out
    kept_before = file.read_bytes()
    assert gate(saved, "flaky", "suspect", "--sequence", str(file)) == 2
    assert "same samples" in capsys.readouterr().err
    assert gate(saved, "flaky-2", "suspect-2", "--sequence", str(file), "--margin", "0.2") == 2
    assert "margin 0.05" in capsys.readouterr().err
    assert file.read_bytes() == kept_before
    assert gate(saved, "flaky-2", "suspect-2", "--sequence", str(file), "--format", "json") == 4
    [subject] = json.loads(capsys.readouterr().out)["subjects"]
    assert subject["decision"]["evidence"]["sequence"]["losses"] == 2
    [kept] = json.loads(file.read_text(encoding="utf-8"))["subjects"]
    assert (kept["seen"]["rounds"], kept["seen"]["same"]) == (2, 98)
    file.write_text("no json", encoding="utf-8")
    assert gate(saved, "flaky", "suspect", "--sequence", str(file)) != 0


def test_json_says_the_same(
    saved: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gate(saved, "steady", "broken", "--format", "json", "-o", str(tmp_path / "gate.md"))

    assert json.loads(capsys.readouterr().out)["verdict"] == "fail"
    assert "case-000" in (tmp_path / "gate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--confirm", "--sequence", "rounds.json"], "choose one of"),
        (["--fresh-baseline", "x.json"], "both --fresh-baseline and --fresh-current"),
        (["--alpha", "0.7"], "alpha"),
        (["--max-usd", "9"], "--max-usd requires --confirm"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    saved: dict[str, str], options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(saved, "flaky", "flaky", *options) == 2
    assert told in capsys.readouterr().err
