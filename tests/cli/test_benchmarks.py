"""`steelyard benchmarks` and `steelyard run --benchmark`, as they are typed."""

import json
from pathlib import Path

import pytest

from steelyard.cli.main import main
from tests.benchmarks.records import HUMANEVAL, LARGER, write_records


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with records of ours in the form of public ones."""
    write_records(tmp_path / "data")
    return tmp_path / "data"


@pytest.mark.parametrize("words", [["benchmarks"], ["benchmarks", "list"]])
def test_the_list_names_every_benchmark_with_its_licence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "version", "tasks", "languages", "licence", "needs"]
    assert any(line.startswith("humaneval ") and "MIT" in line for line in lines)


def test_a_benchmark_is_shown_with_its_data_and_its_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmarks", "show", "humaneval"]) == 0

    shown = capsys.readouterr().out
    assert "sha256 b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef" in shown
    assert "passes: the program of prompt, answer and tests runs to its end" in shown


def test_verify_writes_a_page(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    words = ["benchmarks", "verify", "humaneval", "--benchmark-data", str(data), "-o", str(page), "-q"]
    words += ["--note", "at home"]

    assert main(words) == 0

    assert "references: 1 of 1 pass" in capsys.readouterr().out
    assert "(at home)" in page.read_text(encoding="utf-8")


def test_a_run_of_a_benchmark_names_its_protocol_and_counts_copies(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.jsonl"
    texts = [f"```python\n{HUMANEVAL['prompt']}{body}```" for body in (LARGER, "    return max(a, b)\n")]
    lines = [
        {"model": f"m/{number}", "case": "HumanEval/0", "attempt": 0, "text": text}
        for number, text in enumerate(texts)
    ]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ["run", "--benchmark", "humaneval", "--benchmark-data", str(data), "--replay", str(answers)]

    code = main([*words, "--run", str(tmp_path / "run"), "-q", "-o", str(tmp_path / "report.json")])

    shown = capsys.readouterr().out
    assert code == 0
    assert "HumanEval protocol, recorded answers, 1 of 164 tasks" in shown
    assert "equal to the reference of m/0: 1 of 1 answer" in shown
    assert "equal to the reference of m/1: 0 of 1 answer" in shown
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["benchmark"]["protocol"] == "HumanEval"
    assert [copies["equal"] for copies in report["benchmark"]["copies"]] == [1, 0]
    assert main(["report", str(tmp_path / "run"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["benchmark"] == report["benchmark"]


def test_two_sets_for_one_run_are_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "--benchmark", "humaneval", "--benchmark-data", str(data), "--eval-set", "python-basics"]

    assert main(words) == 2
    assert "remove one of them" in capsys.readouterr().err


def test_a_choice_of_cases_that_leaves_out_the_canaries_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    record = {**HUMANEVAL, "prompt": f"def larger(a, b):\n    # {text}\n"}
    data = tmp_path / "long.jsonl"
    data.write_text(json.dumps(record), encoding="utf-8")
    words = ["run", "--benchmark", "humaneval", "--benchmark-data", str(data), "--models", "m/one"]
    words += ["--canary", "1", "--dry-run", "--cases"]

    assert main([*words, "HumanEval/0"]) == 2
    assert "'canary:*'" in capsys.readouterr().err
    assert main([*words, "HumanEval/0,canary:*"]) == 0
    assert "2 cases" in capsys.readouterr().out


def test_options_of_benchmarks_without_a_benchmark_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--eval-set", "python-basics", "--canary", "3"]) == 2
    assert "--benchmark" in capsys.readouterr().err
