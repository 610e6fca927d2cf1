"""Seed 003, the Terraform repair page: synthetic data, pass@k and a whole folder, both ways."""

import csv
import json
from pathlib import Path

import pytest

import steelyard
from steelyard.sources.evaluation_config import DataType, EvaluationConfig
from steelyard.sources.synthetic import SyntheticPlan
from tests.commands import Shown, typed, written

FIXES = "oid,iteration_id,plausible_fix\n"
PROBLEMS = "oid,filename\np1,main.tf\np2,vars.tf\n"

# As printed on the page, but for the folders.
CONFIG = {
    "fixes_dir": "llms_fixes_results",
    "output_dir": "evaluation/data",
    "clones_dir": "../TFReproducer/clones",
    "k_values": [1, 5, 10],
    "models": ["gemini", "chatgpt4.1"],
    "generate_synthetic_data": False,
    "data_type": "all",
}


def fixes(passes: dict[str, int], samples: int = 10) -> str:
    """Return a fixes file: so many plausible fixes of each problem."""
    rows = [
        f"{oid},{place},{place <= count}\n"
        for oid, count in passes.items()
        for place in range(1, samples + 1)
    ]
    return FIXES + "".join(rows)


def table(path: Path) -> dict[str, list[str]]:
    """Read a table of pass@k."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "LLM"
    return {row[0]: row[1:] for row in rows}


def test_synthetic_data_then_pass_at_k_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    steelyard.write_synthetic("evaluation/data", SyntheticPlan())
    shown = typed(
        capsys,
        *("pass-at-k", "--problems-csv", "evaluation/data/problems.csv"),
        *("--fixes-csv", "evaluation/data/gemini_synthetic_fixes.csv", "--k-values", "1", "5", "10"),
    )

    assert shown.code == 0
    header, row = shown.out.splitlines()
    assert header.split() == ["LLM", "pass@1", "pass@5", "pass@10"]
    assert row.split()[:2] == ["0", "gemini"]
    assert [float(value) for value in row.split()[2:]] == sorted(float(value) for value in row.split()[2:])


def test_synthetic_data_then_pass_at_k_in_python(tmp_path: Path) -> None:
    plan = SyntheticPlan(rates={"gemini": 0.77}, problems=400, samples=10, seed=1)
    problems, outcomes = steelyard.write_synthetic(tmp_path, plan)

    options = steelyard.ReportOptions(pass_k=(1, 5, 10))
    report = steelyard.score_files([outcomes], problems=problems, options=options)

    found = [at.estimate.value for at in report.subjects[0].pass_at_k]
    assert report.subjects[0].model == "gemini"
    assert found[0] == pytest.approx(0.77, abs=0.02)
    assert found[1] == pytest.approx(0.999678, abs=0.001)  # the page's own example
    assert found[2] == 1.0


def test_the_estimator_of_the_page_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = written(tmp_path, fixes({"p1": 10, "p2": 1}), "gemini_synthetic_fixes.csv")
    problems = written(tmp_path, PROBLEMS, "problems.csv")

    words = ("--problems-csv", problems, "--fixes-csv", outcomes, "--k-values", "1", "5", "10")
    shown = typed(capsys, "pass-at-k", *words)

    assert shown.out == "      LLM  pass@1  pass@5  pass@10\n0  gemini    0.55    0.75      1.0\n"


def folder(tmp_path: Path) -> None:
    """Fill `llms_fixes_results`: two models wanted, one not, one synthetic."""
    results = tmp_path / "llms_fixes_results"
    for name, passes in (
        ("gemini_fixes.csv", {"p1": 10, "p2": 0}),
        ("chatgpt4.1_fixes.csv", {"p1": 5, "p2": 5}),
        ("claude_fixes.csv", {"p1": 10, "p2": 10}),
        ("gemini_synthetic_fixes.csv", {"p1": 10, "p2": 10}),
    ):
        written(results, fixes(passes), name)
    written(results, PROBLEMS, "problems.csv")


def evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **changes: object
) -> Shown:
    """Run `steelyard pass-at-k --config` with the settings of the page, changed as told."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, json.dumps({**CONFIG, **changes}), "evaluation_config.json")
    return typed(capsys, "pass-at-k", "--config", "evaluation_config.json")


def test_a_folder_takes_models_by_substring_and_writes_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path)

    shown = evaluated(tmp_path, monkeypatch, capsys)

    assert shown.code == 0
    summary = table(tmp_path / "evaluation/data/summary_pass_at_k.csv")
    assert set(summary) == {"gemini", "chatgpt4.1", "gemini_synthetic"}
    assert summary["gemini"] == ["0.5", "0.5", "0.5"]
    assert [float(value) for value in summary["chatgpt4.1"]] == [0.5, 1 - 1 / 252, 1.0]


def test_a_folder_writes_outcomes_and_pass_at_k_for_every_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path)

    evaluated(tmp_path, monkeypatch, capsys, data_type="real")

    data = tmp_path / "evaluation/data"
    assert sorted(path.name for path in data.iterdir()) == [
        "chatgpt4.1_fixes.csv",
        "chatgpt4.1_pass_at_k.csv",
        "gemini_fixes.csv",
        "gemini_pass_at_k.csv",
        "summary_pass_at_k.csv",
    ]
    assert table(data / "gemini_pass_at_k.csv") == {"gemini": ["0.5", "0.5", "0.5"]}
    assert (data / "gemini_fixes.csv").read_text(encoding="utf-8") == fixes({"p1": 10, "p2": 0})


@pytest.mark.parametrize(
    ("data_type", "models", "expected"),
    [
        ("all", [], {"gemini", "chatgpt4.1", "claude", "gemini_synthetic"}),
        ("real", [], {"gemini", "chatgpt4.1", "claude"}),
        ("synthetic", [], {"gemini"}),
        ("real", ["gemini"], {"gemini"}),
        ("all", ["cl"], {"claude"}),
    ],
)
def test_data_type_and_models_choose_the_files(  # noqa: PLR0913, PLR0917  # three fixtures and the three columns of the table
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    data_type: str,
    models: list[str],
    expected: set[str],
) -> None:
    folder(tmp_path)

    evaluated(tmp_path, monkeypatch, capsys, data_type=data_type, models=models)

    assert set(table(tmp_path / "evaluation/data/summary_pass_at_k.csv")) == expected


def test_generate_synthetic_data_fills_the_fixes_folder_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = evaluated(tmp_path, monkeypatch, capsys, generate_synthetic_data=True, data_type="synthetic")

    names = {path.name for path in (tmp_path / "llms_fixes_results").iterdir()}
    assert names == {"problems.csv", "gemini_synthetic_fixes.csv", "chatgpt4.1_synthetic_fixes.csv"}
    assert set(table(tmp_path / "evaluation/data/summary_pass_at_k.csv")) == {"gemini", "chatgpt4.1"}
    assert "gemini" in shown.out


def test_the_whole_folder_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder(tmp_path)
    written(tmp_path, json.dumps(CONFIG), "evaluation_config.json")

    config = steelyard.read_evaluation_config("evaluation_config.json")
    found = steelyard.evaluate_directory(config)

    assert config == EvaluationConfig(models=("gemini", "chatgpt4.1"), data_type=DataType.ALL)
    assert dict(found.rows)["gemini"] == [0.5, 0.5, 0.5]
    assert found.problems == Path("llms_fixes_results/problems.csv")
    assert found.written[-1] == Path("evaluation/data/summary_pass_at_k.csv")


def test_a_folder_run_twice_gives_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path)
    data = tmp_path / "evaluation/data"

    evaluated(tmp_path, monkeypatch, capsys)
    once = {path.name: path.read_bytes() for path in data.iterdir()}
    evaluated(tmp_path, monkeypatch, capsys)

    assert {path.name: path.read_bytes() for path in data.iterdir()} == once
