"""Outcome files in the shapes that other tools write are read without being converted first."""

from pathlib import Path

import pytest

import steelyard
from tests.commands import scored, typed, written

ROWS = (("a", "c", "0", "PASS"), ("a", "d", "0", "FAIL"), ("b", "c", "0", "PASS"), ("b", "d", "0", "PASS"))
HEAD = ("model", "case", "attempt", "passed")
Capture = pytest.CaptureFixture[str]


def rates(report: dict[str, object]) -> dict[str, float]:
    return {one["model"]: one["pass_rate"]["value"] for one in report["subjects"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_columns_may_be_separated_by_what_the_header_shows(
    tmp_path: Path, capsys: Capture, delimiter: str
) -> None:
    text = "".join(f"{delimiter.join(row)}\n" for row in (HEAD, *ROWS))

    assert rates(scored(capsys, written(tmp_path, text))) == {"a": 0.5, "b": 1.0}


def test_a_delimiter_may_be_stated(tmp_path: Path, capsys: Capture) -> None:
    text = "".join(f"{'^'.join(row)}\n" for row in (HEAD, *ROWS))

    assert rates(scored(capsys, written(tmp_path, text), "--delimiter", "^")) == {"a": 0.5, "b": 1.0}


def test_a_json_file_is_a_list_of_objects_with_fields_by_path(tmp_path: Path, capsys: Capture) -> None:
    text = (
        '[{"model": "a", "case": "c", "attempt": 0, "scores": {"verify": {"value": "C"}}},'
        ' {"model": "a", "case": "d", "attempt": 0, "scores": {"verify": {"value": "I"}}}]'
    )

    report = scored(capsys, written(tmp_path, text, "x.json"), "--map", "passed=scores.verify.value")

    assert rates(report) == {"a": 0.5}


def test_a_json_file_that_is_no_list_says_so(tmp_path: Path, capsys: Capture) -> None:
    shown = typed(capsys, "score", written(tmp_path, '{"a": ', "x.json"))

    assert shown.code == 2
    assert "JSON list" in shown.err


def test_compare_and_plan_take_outcome_files_as_they_take_reports(tmp_path: Path, capsys: Capture) -> None:
    rows = "".join(f"a,c{case},{attempt},{attempt < 2}\n" for case in range(8) for attempt in range(4))
    outcomes = written(tmp_path, f"{','.join(HEAD)}\n{rows}")
    report = tmp_path / "report.json"
    assert typed(capsys, "score", outcomes, "-o", report).code == 0

    assert steelyard.compare(str(outcomes), str(outcomes)) == steelyard.compare(str(report), str(report))
    assert steelyard.plan(str(outcomes)) == steelyard.plan(str(report))
