"""`steelyard gate --history` and `history` of a policy: text, JSON, JUnit and exit code."""

import json
from pathlib import Path

import pytest

from steelyard.render.json import JsonRenderer
from tests.analysis.runs import run
from tests.commands import typed, written


@pytest.fixture(autouse=True)
def weeks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Keep three baselines, each a point below the one before; the next report is a point lower still."""
    monkeypatch.chdir(tmp_path)
    for week in range(1, 5):
        report = run([(10, 9)] * (10 * week - 10) + [(10, 10)] * (110 - 10 * week))
        Path(f"week-{week}.json").write_text(JsonRenderer().render(report), encoding="utf-8")
        if week < 4:
            typed(capsys, "baseline", "set", f"w{week}", f"week-{week}.json")


GATE = ("gate", "--baseline", "w3", "--current", "week-4.json", "--margin", "0.03")


def test_drops_that_add_up_fail_where_each_step_passes(capsys: pytest.CaptureFixture[str]) -> None:
    alone, found = typed(capsys, *GATE), typed(capsys, *GATE, "--history", "2", "-o", "gate.xml")

    assert (alone.code, found.code) == (0, 1)
    assert found.out.startswith("FAIL: 2 of 3 comparisons became worse: m since w2 and m since w1.")
    assert "m since w1 (fail): over 100 cases the pass rate fell by 3 points" in found.out
    assert "shared by 3 tests" in found.out
    assert "also compared with 2 other kept baselines" in found.out
    assert 'name="m since w1"' in Path("gate.xml").read_text(encoding="utf-8")


def test_a_program_reads_which_baseline_each_verdict_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(typed(capsys, *GATE, "--history", "1", "--format", "json").out)

    assert [one["since"] for one in found["subjects"]] == [None, "w2"]
    assert (found["history"], found["older_baselines"], found["tests"]) == (1, ["w2"], 2)
    assert [one["decision"]["verdict"] for one in found["subjects"]] == ["pass", "fail"]
    assert found["verdict"] == "fail"


@pytest.mark.check_all
def test_a_pass_names_how_many_comparisons_it_holds_for(capsys: pytest.CaptureFixture[str]) -> None:
    steady = run([(10, 9)] * 20 + [(10, 10)] * 80, night=1)
    Path("steady.json").write_text(JsonRenderer().render(steady), encoding="utf-8")

    said = typed(capsys, *GATE, "--current", "steady.json", "--history", "1").out

    assert said.startswith("PASS: none of 2 comparisons shows a drop of 3 points or more.")


@pytest.mark.check_all
def test_the_policy_may_ask_for_it_in_a_gate_and_in_a_job(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "[gate]\nhistory = 2\n", "steelyard.toml")

    assert typed(capsys, *GATE).code == 1
    assert typed(capsys, *GATE, "--history", "0").code == 0
    job = typed(capsys, "ci", "--baseline", "w3", "--current", "week-4.json", "--margin", "0.03", "--keep")
    assert (job.code, "m since w1 (fail)" in job.out) == (1, True)


def test_a_place_without_older_baselines_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = typed(capsys, *GATE, "--history", "2", "--baselines", "elsewhere", "--baseline", "week-3.json")

    assert found.code == 0
    assert "no other baseline of this name is kept" in found.out


@pytest.mark.parametrize("way", [["--sequence", "rounds.json"], ["--confirm"]])
def test_it_is_not_decided_in_stages_or_rounds(way: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = typed(capsys, *GATE, "--history", "2", *way)

    assert found.code == 2
    assert "--history" in found.err


def test_a_number_below_zero_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, *GATE, "--history", "-1").code == 2
