"""`steelyard compare`: its options, its files and its exit codes."""

import shutil
from pathlib import Path

import pytest

from tests.commands import strict_json, typed, written

HEADER = "model,case,attempt,passed,score\n"


@pytest.fixture
def reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str | Path, ...]:
    """Write two reports: one case falls from 1 to 0.9, one is gone."""
    for name, text in (
        ("before", HEADER + "a,falls,0,True,1\na,gone,0,True,1\n"),
        ("after", HEADER + "a,falls,0,True,0.9\n"),
    ):
        typed(capsys, "score", written(tmp_path, text, f"{name}.csv"), "-o", tmp_path / f"{name}.json")
    return ("compare", "--baseline", tmp_path / "before.json", "--current", tmp_path / "after.json")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--fail-on-regression",), 1),
        (("--fail-on-regression", "--threshold", "0.1"), 0),
        (("--fail-on-missing",), 1),
        (("--fail-on-regression", "--fail-on-missing", "--threshold", "1"), 1),
    ],
)
def test_the_exit_code_is_1_only_when_asked_for(
    reports: tuple[str | Path, ...], capsys: pytest.CaptureFixture[str], options: tuple[str, ...], code: int
) -> None:
    shown = typed(capsys, *reports, *options)

    assert shown.code == code
    before, after = reports[2], reports[4]
    assert shown.err == f"baseline: {before} (report)\ncurrent: {after} (report)\n"
    assert shown.out


def test_a_comparison_is_also_written_to_files(
    reports: tuple[str | Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"comparison.{suffix}" for suffix in ("txt", "json", "md")]

    shown = typed(capsys, *reports, "--details", *(word for file in files for word in ("--output", file)))

    assert files[0].read_bytes().decode() == shown.out
    found = strict_json(files[1].read_bytes().decode())
    assert [case["case"] for case in found["removed_cases"]] == ["gone"]
    assert "falls" in files[2].read_bytes().decode()


def test_a_threshold_can_be_a_fraction(
    reports: tuple[str | Path, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, *reports, "--threshold", "1/10", "--format", "json")

    assert strict_json(shown.out)["regressions"] == []


def test_reports_without_a_shared_case_do_not_pass_for_free_of_regressions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "other"):
        outcomes = written(tmp_path, f"{HEADER}a,{name},0,True,1\n", f"{name}.csv")
        typed(capsys, "score", outcomes, "-o", tmp_path / f"{name}.json")
    reports = ("compare", "--baseline", tmp_path / "one.json", "--current", tmp_path / "other.json")

    assert typed(capsys, *reports, "--fail-on-regression").code == 1
    assert typed(capsys, *reports).code == 0


@pytest.fixture
def one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Write a report of two models; the second fails one of ten cases that the first passes."""
    rows = [
        f"{model},case-{case},{attempt},{model == 'good' or case > 0},{int(model == 'good' or case > 0)}"
        for model in ("good", "bad")
        for case in range(10)
        for attempt in range(8)
    ]
    file = written(tmp_path, HEADER + "\n".join(rows) + "\n", "one.csv")
    typed(capsys, "score", file, "-o", tmp_path / "one.json")
    return tmp_path / "one.json"


def test_two_subjects_of_one_run_are_compared_case_by_case(
    one_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "compare", "--current", one_run, "--subjects", "good", "bad@T0")

    assert shown.code == 0
    assert shown.out.startswith("bad passes 90 %, good 100 %: ")
    assert "1 of 10 cases dropped: case-0" in shown.out
    assert "pass rate 1.0000 → 0.9000 over 10 cases" in shown.out


def test_one_report_compares_all_of_its_subjects(one_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "compare", "--current", one_run, "--format", "json")

    assert shown.code == 0
    assert '"schema": "steelyard.matrix/1"' in shown.out


def test_reports_may_be_named_first_without_their_options(
    one_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    shutil.copyfile(one_run, other)

    for command in ("compare", "gate"):
        named = typed(capsys, command, "--baseline", one_run, "--current", other)
        assert typed(capsys, command, one_run, other) == named
        assert typed(capsys, command, other, "--baseline", one_run) == named


def test_one_name_is_that_of_the_current_report(one_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subjects = ("--subjects", "good", "bad")

    assert typed(capsys, "compare", one_run, *subjects) == typed(
        capsys, "compare", "--current", one_run, *subjects
    )
