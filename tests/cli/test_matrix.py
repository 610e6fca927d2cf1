"""`steelyard compare` with one report: text, JSON, Markdown and HTML."""

import json
from pathlib import Path

import pytest

import steelyard
from steelyard.cli.main import main
from steelyard.model.matrix import SubjectMatrix
from steelyard.sources.record_file import record_of
from tests.commands import written


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Score three models: one is far worse than the others."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{model},case-{case},{attempt},{str(attempt < passes).lower()}\n"
        for model, passes in (("acme/a", 5), ("acme/b", 4), ("acme/c", 0))
        for case in range(3)
        for attempt in range(5)
    ]
    written(tmp_path, "model,case_id,attempt,passed\n" + "".join(rows), "rows.csv")
    assert main(["score", "rows.csv", "-o", "report.json"]) == 0
    capsys.readouterr()
    return "report.json"


def test_the_text_says_who_leads_who_is_close_and_what_to_generate(
    report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", report]) == 0

    said = capsys.readouterr().out
    assert "Too close to call: acme/a leads, but not significantly ahead of acme/b." in said
    assert "not significantly different: acme/a and acme/b" in said
    assert "chance of any wrong order at most 5 % over 3 pairs" in said
    assert "Generate next to settle the ranking" in said


def test_json_can_be_read_back(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", report, "--format", "json", "-o", "m.html", "-o", "m.md"]) == 0

    text = capsys.readouterr().out
    assert record_of(text.encode(), SubjectMatrix, where="here") == steelyard.matrix(report)
    assert json.loads(text)["schema"] == "steelyard.matrix/1"
    assert "All pairs" in Path("m.html").read_text(encoding="utf-8")
    assert "acme/b" in Path("m.md").read_text(encoding="utf-8")


def test_a_settled_best_is_named(report: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (tmp_path / "rows.csv").read_text().splitlines(keepends=True)
    written(tmp_path, "".join(row for row in rows if "acme/b" not in row), "two.csv")
    assert main(["score", "two.csv", "-o", report]) == 0
    capsys.readouterr()

    assert main(["compare", report]) == 0

    said = capsys.readouterr().out
    assert said.startswith("acme/a passes most often, by more than noise explains.")
    assert "Generate next" not in said


def test_junit_has_no_matrix(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", report, "--format", "junit"]) == 2
    assert "junit" in capsys.readouterr().err


def test_regressions_need_a_baseline(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", report, "--fail-on-regression"]) == 2
    assert "--baseline" in capsys.readouterr().err
