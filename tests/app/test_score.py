"""Outcome files of many shapes: read as they are, or refused with the options that read them."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.app.report import report_at
from steelyard.app.score import score_files
from steelyard.errors import InputError
from tests.app.outcome_shapes import OBJECTS, SHAPES, Shape, lines
from tests.commands import typed, written
from tests.logs.small_logs import promptfoo_csv, promptfoo_old_csv


def test_there_are_forty_shapes() -> None:
    assert len(SHAPES) >= 40


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_shape_is_scored_as_it_is_or_with_the_options_that_the_message_gives(
    shape: Shape, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shape.write(tmp_path)
    if shape.options:
        refused = typed(capsys, "score", path)
        assert refused.code == 2
        assert shape.options in refused.err

    scored = typed(capsys, "score", path, *shlex.split(shape.options), "--format", "json")

    assert scored.code == 0, scored.err
    counted = [subject["coverage"] | subject for subject in json.loads(scored.out)["subjects"]]
    assert sum(subject["samples"] for subject in counted) == shape.samples
    assert sum(subject["passed"] for subject in counted) == shape.passed


@pytest.mark.parametrize("name", OBJECTS)
def test_a_single_object_is_refused_with_the_command_that_makes_rows_of_it(name: str, tmp_path: Path) -> None:
    document, program = OBJECTS[name]
    path = tmp_path / "o.json"
    path.write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(InputError) as refusal:
        score_files(path)

    assert f"cat {path} | jq -c {shlex.quote(program)} > outcomes.jsonl" in str(refusal.value)


def test_the_log_of_a_known_tool_is_refused_with_the_command_that_imports_it(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(
        lines({"problem_idx": 0, "repeat": 0, "reward": 1.0, "scoring_details": {"correct": True}}),
        encoding="utf-8",
    )

    with pytest.raises(InputError, match=r"is a log of nemo.*\n.*steelyard import .*results.jsonl --run"):
        score_files(path)


@pytest.mark.parametrize("write", [promptfoo_csv, promptfoo_old_csv])
def test_the_table_of_another_tool_is_refused_with_the_command_that_imports_it(
    write: Callable[[Path], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)

    with pytest.raises(InputError, match=r"is a log of promptfoo.*\n.*steelyard import .*csv --run"):
        score_files(path)

    assert typed(capsys, "import", path, "--run", tmp_path / "run").code == 0


def test_a_table_whose_notes_look_like_another_tools_verdicts_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("case,passed,message\na,0,[FAIL] not 3\nb,1,[PASS] 3\n", encoding="utf-8")

    assert score_files(path).subjects[0].samples == 2


def test_where_a_report_is_expected_a_list_of_rows_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    path.write_text(json.dumps([{"id": "a", "ok": True}]), encoding="utf-8")

    assert report_at(path).subjects[0].samples == 1


def test_where_a_report_is_expected_the_message_gives_the_whole_command(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("task,status\na,passed\n", encoding="utf-8")

    with pytest.raises(InputError) as refusal:
        report_at(path)

    assert f"steelyard score {path} --map passed=status -o report.json" in str(refusal.value)


def test_a_data_frame_is_refused_with_the_way_to_a_file() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"task_id": ["a"], "passed": [True]})

    with pytest.raises(InputError, match=r"data.*frame"):
        score_files(frame)


def test_what_a_pass_costs_is_said_where_nothing_passed(tmp_path: Path) -> None:
    (tmp_path / "zero.csv").write_text(
        "model,case_id,passed,cost_usd\nm,a,0,0.1\nm,b,0,0.2\n", encoding="utf-8"
    )

    shown = str(score_files(tmp_path / "zero.csv"))

    assert "a pass costs" in shown
    assert re.search(r"≥ \$0\.\d+$", shown, flags=re.MULTILINE)


def test_empty_verdicts_are_counted_in_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,passed\na,c1,0,yes\na,c2,0,\na,c2,1,\n")

    report = score_files(path)

    assert report.warnings[0] == (
        "column 'passed' is empty in 2 rows, as if the check broke; "
        "fill it in where the sample passed or failed"
    )


def test_files_with_and_without_attempts_are_named_when_given_together(tmp_path: Path) -> None:
    numbered = written(tmp_path, "model,case,attempt,passed\na,c1,0,yes\n", "a.csv")
    bare = written(tmp_path, "model,case,passed\na,c2,no\n", "b.csv")

    with pytest.raises(InputError) as refusal:
        score_files([numbered, bare])

    assert str(refusal.value) == (
        f"{bare} has no column 'attempt', and {numbered} has one: every row needs an attempt number"
    )


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("passed", "perhaps", "expected true or false, or yes and no, 1 and 0, pass and fail"),
        ("passed", "n/a", "expected true or false, or an empty cell where nothing is known"),
        ("cost_usd", '"0,0094"', "with a point and without commas, such as 0.0094"),
        ("cost_usd", "nan", "or an empty cell where nothing is known"),
    ],
)
def test_an_odd_value_is_named_with_what_is_accepted(
    column: str, value: str, expected: str, tmp_path: Path
) -> None:
    ordinary = {"passed": "yes", "cost_usd": "1"} | {column: value}
    path = written(tmp_path, f"case,passed,cost_usd\nc,{ordinary['passed']},{ordinary['cost_usd']}\n")

    with pytest.raises(InputError, match=f"outcomes.csv, row 1: column '{column}' is ") as refusal:
        score_files(path)

    assert str(refusal.value).endswith(expected)
