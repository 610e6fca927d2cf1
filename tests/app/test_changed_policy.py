"""A pull request does not rewrite the policy that it is judged by."""

from pathlib import Path

import pytest

import steelyard
from steelyard.app.ci.job import EXIT_CODE, CiResult
from steelyard.model.verdict import Inconclusive

HEADER = "model,case,attempt,passed\n"
LENIENT = '[[gate.require]]\nmetric = "refusals"\nmargin = 0.99\n'


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ci(passed: str, **options: object) -> CiResult:
    rows = [f"m,case-{case},{attempt},{passed}\n" for case in range(20) for attempt in range(3)]
    Path("outcomes.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    return steelyard.ci("outcomes.csv", **options)  # type: ignore[arg-type]


def test_a_policy_of_the_change_turns_no_failure_into_a_pass(job: Path) -> None:
    ci("true", keep=True)
    assert ci("false").verdict == "fail"

    (job / "steelyard.toml").write_text(LENIENT, encoding="utf-8")
    judged = ci("false", inconclusive=Inconclusive.PASS)

    assert (judged.verdict, judged.exit_code) == ("inconclusive", EXIT_CODE)
    assert "policy has changed" in judged.comment
    assert "policy has changed" in (job / "steelyard-report/comment.md").read_text(encoding="utf-8")


def test_a_policy_that_a_change_removes_is_noticed(job: Path) -> None:
    (job / "steelyard.toml").write_text('[gate]\ncritical = ["case-1"]\n', encoding="utf-8")
    ci("true", keep=True)
    assert ci("true").verdict == "pass"

    (job / "steelyard.toml").unlink()

    assert ci("true").verdict == "inconclusive"


def test_a_policy_takes_effect_when_the_base_branch_keeps_a_baseline(job: Path) -> None:
    ci("true", keep=True)
    (job / "steelyard.toml").write_text('[gate]\ncritical = ["case-1"]\n', encoding="utf-8")
    assert ci("true").verdict == "inconclusive"

    assert ci("true", keep=True).is_kept

    assert ci("true").verdict == "pass"
