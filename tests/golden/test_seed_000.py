"""Seed 000, the forgetest scoring page: its formulas and commands, in Python and on the command line."""

from pathlib import Path

import pytest

import steelyard
from tests.commands import Json, scored, strict_json, typed, written

HEADER = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings,cost_usd,latency_s\n"

# The formula worked by hand: compiles, passed, failed, clippy warnings, score.
EXAMPLES = [
    (False, 0, 0, 0, 0.0),  # compilation failure zeroes everything
    (False, 9, 0, 0, 0.0),  # … regardless of other factors
    (True, 4, 0, 0, 1.0),  # a perfect score: 0.4 + 0.5 + 0.1
    (True, 0, 0, 0, 0.5),  # no tests: 0.4 + 0.0 + 0.1
    (True, 0, 4, 0, 0.5),
    (True, 3, 1, 2, 0.855),  # 0.4 + 0.375 + 0.08
    (True, 4, 0, 1, 0.99),  # each warning deducts 1 %
    (True, 4, 0, 10, 0.9),
    (True, 4, 0, 25, 0.9),  # max(0, 1 - warnings * 0.1)
]


@pytest.mark.parametrize(("built", "passed", "failed", "warnings", "score"), EXAMPLES)
def test_the_score_formula_in_python(
    built: bool,  # noqa: FBT001  # a column of the table above
    passed: int,
    failed: int,
    warnings: int,
    score: float,
) -> None:
    found = steelyard.build_test_lint_score(built=built, passed=passed, failed=failed, warnings=warnings)

    assert float(found) == score


def test_the_score_formula_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(
        f"m,case {place},0,{built},{passed},{failed},{warnings},0,1\n"
        for place, (built, passed, failed, warnings, _) in enumerate(EXAMPLES)
    )

    report = scored(capsys, written(tmp_path, HEADER + rows))

    assert [case["mean_score"] for case in report["cases"]] == [score for *_, score in EXAMPLES]


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [(10, 3, 1, 0.3), (10, 3, 5, 1 - 21 / 252), (10, 0, 5, 0.0), (10, 6, 5, 1.0), (5, 1, 5, 1.0)],
)
def test_pass_at_k_in_python(n: int, c: int, k: int, expected: float) -> None:
    assert steelyard.pass_at_k(n=n, c=c, k=k) == pytest.approx(expected, abs=1e-15)


def test_pass_at_k_needs_no_log_space_to_survive_large_numbers() -> None:
    assert steelyard.pass_at_k(n=100_000, c=1, k=50_000) == 0.5


def test_pass_k_1_and_5_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"m,c,{place},True,{int(place < 3)},{int(place >= 3)},0,0,1\n" for place in range(10))

    subject = scored(capsys, written(tmp_path, HEADER + rows), "--pass-k", "1,5")["subjects"][0]

    found = {at["k"]: at["estimate"]["value"] for at in subject["pass_at_k"]}
    assert found == {1: 0.3, 5: 1 - 21 / 252}


def report_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Write old-report.json and new-report.json: one case falls by 0.5, one rises, one by exactly 5 %."""
    old = HEADER + "m,falls,0,True,4,0,0,0,1\nm,rises,0,True,0,4,0,0,1\nm,stays,0,True,4,0,5,0,1\n"
    new = HEADER + "m,falls,0,True,0,4,0,0,1\nm,rises,0,True,4,0,0,0,1\nm,stays,0,True,4,0,0,0,1\n"
    for name, text in (("old-report", old), ("new-report", new)):
        shown = typed(capsys, "score", written(folder, text, f"{name}.csv"), "-o", folder / f"{name}.json")
        assert shown.code == 0


def test_compare_as_written_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    report_files(tmp_path, capsys)

    shown = typed(capsys, "compare", "--baseline", "old-report.json", "--current", "new-report.json")

    assert shown.code == 0
    assert shown.err == "baseline: old-report.json (report)\ncurrent: new-report.json (report)\n"
    assert "falls" in shown.out
    assert "rises" in shown.out


def test_fail_on_regression_with_a_threshold_as_written_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    report_files(tmp_path, capsys)
    words = ("compare", "--baseline", "old-report.json", "--current", "new-report.json")

    default = typed(capsys, *words, "--fail-on-regression", "--threshold", "0.05")
    tolerant = typed(capsys, *words, "--fail-on-regression", "--threshold", "0.5")

    assert (default.code, tolerant.code) == (1, 0)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_compare_writes_every_format_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    report_files(tmp_path, capsys)
    words = ("compare", "--baseline", "old-report.json", "--current", "new-report.json")

    shown = typed(capsys, *words, "--format", form)

    assert shown.code == 0
    assert shown.out.endswith("\n")
    if form == "text":
        assert shown.out == typed(capsys, *words).out


def test_a_regression_and_an_improvement_are_steps_of_more_than_5_percent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    report_files(tmp_path, capsys)

    old, new = (steelyard.read_report(Path(f"{name}-report.json")) for name in ("old", "new"))
    found = steelyard.compare_reports(old, new)

    assert [change.case for change in found.regressions] == ["falls"]
    assert [change.case for change in found.improvements] == ["rises"]
    assert found.unchanged == 1  # from 0.95 to 1.0


def aggregate_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> Json:
    """Score two cases of two samples each."""
    rows = (
        "m,c1,0,True,4,0,0,0.10,1\n"
        "m,c1,1,True,2,2,0,0.10,2\n"
        "m,c2,0,False,0,0,0,0.20,3\n"
        "m,c2,1,True,4,0,0,0.20,6\n"
    )
    return scored(capsys, written(folder, HEADER + rows), "--pass-k", "1,2")


def test_the_per_model_statistics_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subject = aggregate_report(tmp_path, capsys)["subjects"][0]

    assert [at["estimate"]["value"] for at in subject["pass_at_k"]] == [0.5, 1.0]
    assert subject["build_rate"]["value"] == 0.75
    assert subject["test_pass_rate"]["value"] == (0.75 + 0.5) / 2
    assert subject["total_cost_usd"]["value"] == 0.6
    assert subject["mean_latency_s"]["value"] == 3.0


def test_the_per_case_statistics_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = aggregate_report(tmp_path, capsys)["cases"]

    assert [case["mean_score"] for case in cases] == [(1 + 0.75) / 2, 0.5]
    assert [case["pass_at_k"][0]["estimate"]["value"] for case in cases] == [0.5, 0.5]


def test_the_json_comparison_states_the_threshold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    report_files(tmp_path, capsys)

    shown = typed(
        capsys,
        *("compare", "--format", "json"),
        *("--current", "new-report.json", "--baseline", "old-report.json"),
    )

    assert strict_json(shown.out)["threshold"] == 0.05
