"""The plug-in for pytest: a test fails when a subject has become worse."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.app.pytest_plugin import SteelyardFixture
from steelyard.model.verdict import Inconclusive

GATE = Path(__file__).parents[2] / "examples" / "gate"
FAILED = pytest.fail.Exception


def test_a_clear_drop_fails_and_says_why() -> None:
    with pytest.raises(FAILED, match=r"FAIL.*my/agent"):
        SteelyardFixture().gate(GATE / "clear-drop.csv", baseline=GATE / "baseline.csv")


def test_noise_passes() -> None:
    assert SteelyardFixture().gate(GATE / "noise.csv", baseline=GATE / "baseline.csv").verdict == "pass"


def test_an_open_verdict_fails_unless_it_may_pass() -> None:
    few, before = GATE / "too-little-current.csv", GATE / "too-little-baseline.csv"

    with pytest.raises(FAILED, match="INCONCLUSIVE"):
        SteelyardFixture().gate(few, baseline=before)
    found = SteelyardFixture().gate(few, baseline=before, inconclusive=Inconclusive.PASS)
    assert found.verdict == "inconclusive"


def test_a_subject_that_is_not_good_enough_fails_by_name() -> None:
    report = SteelyardFixture().pass_rate(GATE / "baseline.csv", at_least=0.1, model="my/agent")

    assert report.subjects[0].model == "my/agent"
    with pytest.raises(FAILED, match=r"my/agent \(T0\) passes 0\.\d+; at least 0.99 is required"):
        SteelyardFixture().pass_rate(report, at_least=0.99)
    with pytest.raises(FAILED, match="my/agent"):
        SteelyardFixture().pass_rate(report, at_least=0.1, model="other")


def outcomes(folder: Path, *, passed: int, errors: int) -> Path:
    ended = ["pass"] * passed + ["error"] * errors
    rows = [f"m,c{place % 10},{place // 10},{kind}" for place, kind in enumerate(ended)]
    path = folder / "outcomes.csv"
    path.write_text("\n".join(["model,case,attempt,classification", *rows]), encoding="utf-8")
    return path


def test_a_rate_of_little_evidence_is_not_good_enough(tmp_path: Path) -> None:
    few = steelyard.score_files(outcomes(tmp_path, passed=39, errors=261))
    good = steelyard.score_files(outcomes(tmp_path, passed=39, errors=1))

    with pytest.raises(FAILED, match=r"answers.*261"):
        SteelyardFixture().pass_rate(few, at_least=0.9)
    with pytest.raises(FAILED, match="finished"):
        SteelyardFixture().pass_rate(replace(good, planned_samples=10), at_least=0.9)
    assert SteelyardFixture().pass_rate(good, at_least=0).subjects


@pytest.mark.parametrize("share", [float("nan"), -0.1, 80])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(FAILED, match=r"share.*0.*1"):
        SteelyardFixture().pass_rate(GATE / "baseline.csv", at_least=share)


def test_a_baseline_is_found_by_its_name(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    steelyard.set_baseline("main", GATE / "baseline.csv", baselines=kept)

    assert SteelyardFixture().pass_rate("main", at_least=0.1, baselines=kept).subjects


@pytest.mark.check_all
def test_a_project_that_names_the_plug_in_has_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        'pytest_plugins = ["steelyard.app.pytest_plugin"]\n', encoding="utf-8"
    )
    (tmp_path / "test_agent.py").write_text(
        f"current = {str(GATE / 'clear-drop.csv')!r}\n"
        f"def test_agent(steelyard): steelyard.gate(current, baseline={str(GATE / 'baseline.csv')!r})\n"
        f"def test_lost(steelyard): steelyard.gate(current, baseline='main')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "FAIL: my/agent passes" in done.stdout
    assert "\nmain: no report or run" in done.stdout
    assert "exception" not in done.stdout  # the message alone, without what led to it
    assert "pytest_plugin.py" not in done.stdout


def test_a_subject_without_evidence_fails_whatever_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text("case,model,classification\na,m,error\n", encoding="utf-8")

    with pytest.raises(FAILED, match="evidence"):
        SteelyardFixture().pass_rate(path, at_least=0)
