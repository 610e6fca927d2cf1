"""`steelyard baseline`: set, list, show and remove, and the names that `compare` and `gate` then know."""

from pathlib import Path

import pytest

from steelyard.render.json import JsonRenderer
from tests.analysis.runs import run
from tests.commands import typed

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("steady.json").write_text(JsonRenderer().render(run(STEADY)), encoding="utf-8")
    Path("broken.json").write_text(JsonRenderer().render(run([(5, 0), *STEADY[1:]])), encoding="utf-8")


def test_a_report_is_kept_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    kept = typed(capsys, "baseline", "set", "main", "steady.json", "--note", "abc123")
    assert kept.out == "main: kept in baselines; from steady.json (abc123); m, 350 samples\n"

    listed = typed(capsys, "baseline", "list")
    assert listed.out.startswith("main: kept 20")
    assert listed.out.endswith("Z; from steady.json (abc123); m, 350 samples\n")

    shown = typed(capsys, "baseline", "show", "main", "-o", "main.html")
    assert shown.out.startswith("m passes")
    assert "from steady.json (abc123)" in shown.err
    assert Path("main.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_baseline_that_takes_the_place_of_another_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json")

    again = typed(capsys, "baseline", "set", "main", "broken.json")

    assert again.out.startswith("main: kept in baselines, replacing the previous one; from broken.json")


def test_an_empty_place_says_how_to_fill_it(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "baseline", "list")

    assert (shown.code, shown.out) == (0, "")
    assert "steelyard baseline set NAME RUN" in shown.err


def test_gate_and_compare_know_a_baseline_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json")

    assert typed(capsys, "gate", "--baseline", "main", "--current", "broken.json").code == 1
    compared = typed(
        capsys, "compare", "--baseline", "main", "--current", "broken.json", "--fail-on-regression"
    )
    assert compared.code == 1
    assert "case-000" in compared.out


def test_baselines_may_be_kept_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json", "--baselines", "kept/here")
    monkeypatch.setenv("STEELYARD_BASELINES", "kept/here")

    assert typed(capsys, "gate", "--baseline", "main", "--current", "steady.json").code == 0


def test_an_unknown_name_ends_with_2_and_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json")
    shown = typed(capsys, "gate", "--baseline", "mian", "--current", "steady.json")

    assert (shown.code, shown.out) == (2, "")
    assert "kept there: main" in shown.err


def test_what_a_note_holds_cannot_change_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json", "--note", "red \x1b[31m")

    assert "\x1b" not in typed(capsys, "baseline", "list").out


def test_a_baseline_is_removed_and_what_it_was_made_of_stays(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "baseline", "set", "main", "steady.json")

    removed = typed(capsys, "baseline", "remove", "main")

    assert removed.out == "main: removed from baselines; from steady.json; m, 350 samples\n"
    assert Path("steady.json").exists()
    assert typed(capsys, "baseline", "list").out == ""
    assert typed(capsys, "baseline", "remove", "main").code == 2


def test_a_file_that_is_no_baseline_is_not_removed(capsys: pytest.CaptureFixture[str]) -> None:
    refused = typed(capsys, "baseline", "remove", "steady", "--baselines", ".")

    assert (refused.code, Path("steady.json").exists()) == (2, True)
