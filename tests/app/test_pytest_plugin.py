"""The plug-in for pytest: a test fails when a subject has become worse."""

import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.app.pytest_plugin import Weighing
from steelyard.model.verdict import Inconclusive

GATE = Path(__file__).parents[2] / "examples" / "gate"
FAILED = pytest.fail.Exception


def test_a_clear_drop_fails_and_says_why() -> None:
    with pytest.raises(FAILED, match="FAIL: my/agent passes less often than before"):
        Weighing().gate(GATE / "clear-drop.csv", baseline=GATE / "baseline.csv")


def test_noise_passes() -> None:
    assert Weighing().gate(GATE / "noise.csv", baseline=GATE / "baseline.csv").verdict == "pass"


def test_an_open_verdict_fails_unless_it_may_pass() -> None:
    few, before = GATE / "too-little-current.csv", GATE / "too-little-baseline.csv"

    with pytest.raises(FAILED, match="INCONCLUSIVE"):
        Weighing().gate(few, baseline=before)
    found = Weighing().gate(few, baseline=before, inconclusive=Inconclusive.PASS)
    assert found.verdict == "inconclusive"


def test_a_subject_that_is_not_good_enough_fails_by_name() -> None:
    report = Weighing().pass_rate(GATE / "baseline.csv", at_least=0.1, model="my/agent")

    assert report.subjects[0].model == "my/agent"
    with pytest.raises(FAILED, match=r"my/agent \(T0\) passes 0\.\d+; at least 0.99 is wanted"):
        Weighing().pass_rate(report, at_least=0.99)
    with pytest.raises(FAILED, match="no subject is called other; there is my/agent"):
        Weighing().pass_rate(report, at_least=0.1, model="other")


def test_a_project_that_names_the_plug_in_has_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        'pytest_plugins = ["steelyard.app.pytest_plugin"]\n', encoding="utf-8"
    )
    (tmp_path / "test_agent.py").write_text(
        f"def test_agent(steelyard):\n"
        f"    steelyard.gate({str(GATE / 'clear-drop.csv')!r}, baseline={str(GATE / 'baseline.csv')!r})\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "FAIL: my/agent passes less often than before" in done.stdout


def test_a_subject_without_evidence_fails_whatever_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text("case,model,classification\na,m,error\n", encoding="utf-8")

    with pytest.raises(FAILED, match="has no pass rate, for want of evidence"):
        Weighing().pass_rate(path, at_least=0)
