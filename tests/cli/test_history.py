"""`steelyard baseline history`: text, JSON, Markdown and HTML."""

from pathlib import Path

import pytest

import steelyard
from steelyard.cli.main import main
from steelyard.model.history import History
from steelyard.sources.record_file import record_of
from tests.commands import written


def keep(folder: Path, name: str, *, passes: int, model: str = "acme/a") -> None:
    rows = [
        f"{model},case-{case},{attempt},{str(attempt < passes).lower()}\n"
        for case in range(12)
        for attempt in range(5)
    ]
    written(folder, "model,case_id,attempt,passed\n" + "".join(rows), f"{name}.csv")
    assert main(["score", f"{name}.csv", "-o", f"{name}.json"]) == 0
    assert main(["baseline", "set", name, f"{name}.json"]) == 0


def test_a_change_is_named_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, passes in (("w1", 5), ("w2", 5), ("w3", 3)):
        keep(tmp_path, name, passes=passes)
    capsys.readouterr()

    assert main(["baseline", "history", "-o", "h.html", "-o", "h.json", "-o", "h.md"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("acme/a in T0: the pass rate fell by 40 points with w3, kept on ")
    assert "The change with w3: p < 0.0001, corrected for all positions and subjects." in said
    assert "false alarms at most 5 % over all positions and subjects" in said
    assert record_of(Path("h.json").read_bytes(), History, where="h") == steelyard.history()
    page = Path("h.html").read_text(encoding="utf-8")
    assert "the oldest baseline first" in page
    assert page.count("<svg") >= 3


def test_a_single_baseline_shows_no_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    keep(tmp_path, "w1", passes=5)
    capsys.readouterr()

    assert main(["baseline", "history"]) == 0
    assert "acme/a in T0: only one baseline: no change can be detected." in capsys.readouterr().out


def test_an_empty_place_has_no_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["baseline", "history"]) == 2
    assert "no baseline" in capsys.readouterr().err
