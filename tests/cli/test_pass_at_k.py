"""`steelyard pass-at-k`: what it prints, notes and writes, for files and for a folder of fixes."""

import json
from pathlib import Path

import pytest

from tests.commands import typed, written

FIXES = "oid,iteration_id,plausible_fix\np1,1,True\np1,2,False\np1,2,False\np2,1,\nzz,1,True\n"


def pair(folder: Path) -> tuple[str | Path, ...]:
    """Write a pair of files with everything in them that is worth a note."""
    fixes = written(folder, FIXES, "gemini_fixes.csv")
    problems = written(folder, "oid,filename\np1,a.tf\np2,b.tf\np3,c.tf\n", "problems.csv")
    return ("--problems-csv", problems, "--fixes-csv", fixes)


def test_notes_go_to_stderr_and_the_table_to_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "pass-at-k", *pair(tmp_path), "--k-values", "1")

    assert shown.code == 0
    assert shown.out == "      LLM  pass@1\n0  gemini    null\n"
    assert "2 of 3 problems" in shown.err
    assert "pass@1" in shown.err
    assert "list of cases" in shown.err


def test_several_files_make_several_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = pair(tmp_path)
    other = written(tmp_path, "oid,iteration_id,plausible_fix\np1,1,True\n", "gpt_fixes.csv")

    shown = typed(capsys, "pass-at-k", *words, "--fixes-csv", other, "--k-values", "1", "--missing", "skip")

    assert [line.split()[1] for line in shown.out.splitlines()[1:]] == ["gemini", "gpt"]


def test_rows_of_several_tiers_name_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = written(tmp_path, "case,model,tier,passed\na,m,T0,0\na,m,rag,1\n", "tiers.csv")

    lines = typed(capsys, "pass-at-k", table, "--k-values", "1").out.splitlines()

    assert [line.split()[1:] for line in lines[1:]] == [["m@T0", "0.0"], ["m@rag", "1.0"]]


def test_the_policies_that_the_notes_speak_of_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixes = written(tmp_path, "oid,iteration_id,plausible_fix\np,1,True\np,1,False\np,2,\n", "m_fixes.csv")
    problems = written(tmp_path, "oid\np\n", "problems.csv")
    words = ("pass-at-k", "--problems-csv", problems, "--fixes-csv", fixes, "--k-values", "1")

    refused = typed(capsys, *words)
    shown = typed(capsys, *words, "--duplicates", "first", "--errors", "fail")

    assert "--duplicates first" in refused.err
    assert shown.out == "  LLM  pass@1\n0   m     0.5\n"


def test_the_table_is_saved_with_all_its_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixes = written(tmp_path, "oid,iteration_id,plausible_fix\np,1,1\np,2,0\np,3,0\n", "m_fixes.csv")
    problems = written(tmp_path, "oid\np\n", "problems.csv")
    table = tmp_path / "new" / "table.csv"

    typed(
        capsys,
        *("pass-at-k", "--problems-csv", problems, "--fixes-csv", fixes),
        *("--k-values", "1", "5", "--save-to", table),
    )

    assert table.read_text(encoding="utf-8") == f"LLM,pass@1,pass@5\nm,{1 / 3},\n"


def test_the_ks_are_1_5_and_10_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "pass-at-k", *pair(tmp_path))

    assert shown.out.split()[1:4] == ["pass@1", "pass@5", "pass@10"]


def test_a_folder_notes_when_there_is_no_list_of_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "oid,iteration_id,plausible_fix\np1,1,True\n", "fixes/gemini_fixes.csv")
    config = written(
        tmp_path, json.dumps({"fixes_dir": "fixes", "output_dir": "out", "k_values": [1]}), "my.json"
    )

    shown = typed(capsys, "pass-at-k", "--config", config)

    assert shown.code == 0
    assert shown.out == "      LLM  pass@1\n0  gemini     1.0\n"
    assert "problems.csv" in shown.err
    assert shown.err.endswith("summary: out/summary_pass_at_k.csv\n")


def test_fixes_that_must_be_validated_need_the_tool_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "oid,iteration_id,filename,fixed_file\np1,1,a.tf,x\n", "fixes/gemini.csv")
    written(tmp_path, json.dumps({"fixes_dir": "fixes", "output_dir": "out"}), "evaluation_config.json")

    monkeypatch.setenv("PATH", str(tmp_path))
    shown = typed(capsys, "pass-at-k", "--config", "evaluation_config.json")

    assert (shown.code, shown.out) == (3, "")
    assert "is not installed" in shown.err
    assert "steelyard doctor" in shown.err


def test_settings_of_a_folder_exclude_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "pass-at-k", *pair(tmp_path), "--config", "evaluation_config.json")

    assert (shown.code, "--config names all files" in shown.err) == (2, True)
