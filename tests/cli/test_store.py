"""`steelyard import` and `steelyard export`, as a user types them."""

from pathlib import Path

import pytest

from tests.commands import typed, written


def test_outcomes_go_into_a_run_and_out_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, "task,who,ok\na,m1,yes\na,m1,no\nb,m1,yes\n")
    mapped = ("--map", "case=task", "--map", "model=who", "--map", "passed=ok")

    kept = typed(capsys, "import", path, "--run", tmp_path / "run", *mapped, "--tier", "T2")
    exported = typed(capsys, "export", tmp_path / "run", "-o", tmp_path / "rows.csv")
    scored = typed(capsys, "score", tmp_path / "rows.csv", "--scoring", "plausible", "--format", "csv")
    reported = typed(capsys, "report", tmp_path / "run", "--format", "csv")

    assert kept == (0, f"{tmp_path / 'run'}: outcomes 3, cases 2, subjects 1; scored by plausible/1\n", "")
    assert exported == (0, f"{tmp_path / 'rows.csv'}: outcomes 3\n", "")
    assert scored == reported
    assert scored.out.splitlines()[1].startswith("m1,T2,2,3,2,0,0,0.75")


def test_left_out_duplicates_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, "case,attempt,passed\na,0,true\na,0,true\n")

    shown = typed(capsys, "import", path, "--run", tmp_path / "run")

    assert (shown.code, shown.err) == (0, "left out as duplicates: 1\n")


def test_a_score_can_be_said_to_pass(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, "case,attempt,score\na,0,0.5\na,1,0.9\n")

    kept = typed(capsys, "import", path, "--run", tmp_path / "run", "--pass-score", "0.8")
    reported = typed(capsys, "report", tmp_path / "run", "--format", "csv")

    assert kept.code == 0
    assert reported.out.splitlines()[1].startswith("outcomes,T0,1,2,1,")


def test_exporting_from_where_no_run_is_is_wrong_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = typed(capsys, "export", tmp_path, "-o", tmp_path / "rows.csv")

    assert shown.code == 2
    assert "there is no run here" in shown.err
