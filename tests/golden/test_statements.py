"""Statements of the four pages that no other test is about; README.md lists all of them."""

import json
import re
from pathlib import Path

import pytest

import steelyard
from tests.commands import scored, typed, written

HERE = Path(__file__).parent
TESTS = HERE.parent
RUNS = (
    "agent_model,tier_id,task_id,run_number,passed,weighted_score,input_tokens,output_tokens,"
    "start_time,end_time\n"
)
FIXES = "oid,iteration_id,plausible_fix\n"
IMPL_RATES = (0.85, 0.9, 0.4, 0.8, 0.7, 0.75, 0.3, 0.95, 1.0, 0.6)


def ten_runs(folder: Path) -> Path:
    """Ten runs of one task: two fail, and run 3 takes 3.5 seconds."""
    rows = (
        f"ag,T0,c,{run},{run not in (2, 6)},{rate},500,1000,"
        f"2026-01-01T00:00:0{run}Z,2026-01-01T00:00:{2 * run + 0.5:04.1f}Z\n"
        for run, rate in enumerate(IMPL_RATES)
    )
    return written(folder, RUNS + "".join(rows))


def test_the_table_names_a_test_that_exists_for_each_of_81_statements() -> None:
    row = re.compile(r"^\| (\d{3}-\d+\w?) \| .+ \| `(\S+?)::(test_\w+)` \|$", re.MULTILINE)
    rows = row.findall((HERE / "README.md").read_text(encoding="utf-8"))

    assert len({statement for statement, _, _ in rows}) == len(rows) == 81
    for _, path, name in rows:
        assert f"def {name}(" in (TESTS / path).read_text(encoding="utf-8")


def test_a_duration_is_the_end_time_less_the_start_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = scored(capsys, ten_runs(tmp_path), "--price", "ag=15/75")["subjects"][0]

    durations = [run["duration_s"] for run in subject["runs"]["runs"]]
    assert durations == [run + 0.5 for run in range(10)]
    assert subject["total_cost_usd"]["value"] == pytest.approx(10 * (500 * 15 + 1000 * 75) / 1e6)


@pytest.mark.parametrize(
    ("times", "seconds"),
    [("10,12.5", 2.5), ("soon,later", None), ("2026-01-01 00:00:00,2026-01-01 00:01:00", 60)],
)
def test_times_are_dates_or_seconds_and_others_are_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], times: str, seconds: float | None
) -> None:
    report = scored(capsys, written(tmp_path, f"case,passed,start_time,end_time\nc,true,{times}\n"))

    assert report["cases"][0]["mean_latency_s"] == seconds


def test_the_default_report_grades_the_median_composite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "score", ten_runs(tmp_path)).out
    details = typed(capsys, "score", ten_runs(tmp_path), "--details").out

    header, _, row = shown.splitlines()[2:5]
    assert "median composite" in header
    assert re.search(r" 0\.8875 +B ", row)
    assert not re.search(r"^ag .* C$", details, re.MULTILINE)


def test_example_3_the_variance_of_composites_is_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(
        f"m,{tier},c,1,True,{impl},0.5\n"
        for tier, impl in zip(("T0", "T1", "T2", "T3"), (0.4, 0.6, 0.7, 0.8), strict=True)
    )
    path = written(tmp_path, "model,tier,case,attempt,passed,impl_rate,cost_usd\n" + rows)

    assert scored(capsys, path)["tiers"][0]["score_variance"]["value"] == pytest.approx(0.00547, abs=5e-6)
    assert (
        "variance across the tiers of m: pass rate 0, composite 0.00547, cost 0"
        in typed(capsys, "score", path).out
    )


def test_a_rating_in_a_nested_object_is_read_by_its_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"case": "c", "passed": True, "judgment": {"summary": {"weighted_score": 0.85}}}
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(row))

    report = scored(capsys, path, "--map", "impl_rate=judgment.summary.weighted_score")

    assert report["subjects"][0]["score"]["value"] == 0.925


def test_an_empty_list_has_no_statistics() -> None:
    found = steelyard.statistics([])

    assert (found.count, found.median, found.mode, found.std_dev) == (0, None, None, None)


def passk(capsys: pytest.CaptureFixture[str], folder: Path, rows: str, ks: str = "1") -> tuple[int, str, str]:
    problems, fixes = folder / "problems.csv", folder / "gemini_fixes.csv"
    problems.write_text("oid,filename\np0,a.tf\np1,b.tf\n")
    fixes.write_text(rows)
    shown = typed(capsys, "pass-at-k", "--problems-csv", problems, "--fixes-csv", fixes, "--k-values", ks)
    return shown.code, shown.out, shown.err


def test_pass_at_k_shows_its_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, notes = passk(capsys, tmp_path, FIXES + "p0,1,true\np0,2,false\np1,1,true\np1,2,true\n", "1,2")

    assert code == 0
    assert re.search(r"gemini: 95 % intervals pass@1 0\.\d+–1\.00, pass@2 0\.\d+–1\.00", notes)  # noqa: RUF001


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("OID,Iteration_ID,Plausible_Fix\np0,1,true\np1,1,false\n", "0.5"),
        (FIXES + "p0,1,true\npX,1,false\n", "0.5"),  # unknown problems are left out, missing ones fail
        (FIXES, "no outcomes"),
        (FIXES + "p0,1,true\np0,1,false\n", "attempt"),
        (FIXES + "p0,1,maybe\n", "gemini_fixes.csv"),
    ],
)
def test_fixes_files_of_every_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, expected: str
) -> None:
    code, out, err = passk(capsys, tmp_path, rows)

    assert expected in (err if code else out)


def suites(folder: Path) -> Path:
    rows = [
        {
            "model": "m",
            "suite": suite,
            "case": f"{suite}{case}",
            "classification": "pass" if case < passes else "fail",
        }
        for suite, (cases, passes) in {"injection": (20, 18), "contradictions": (10, 8)}.items()
        for case in range(cases)
    ]
    path = folder / "suites.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows).replace('"fail"', '"refusal"'))
    return path


def test_the_headline_has_the_overall_run_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = typed(capsys, "score", suites(tmp_path)).out.splitlines()[0]

    assert first == "m passes 87 % of 30 cases, and 85 % in the mean of 2 suites."


def test_an_unknown_classification_is_refused_with_the_known_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "score", written(tmp_path, "case,classification\nc,hallucination\n"))

    assert shown.code == 2
    assert "refusal" in shown.err


def test_an_empty_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")

    assert typed(capsys, "score", path).code == 2


def test_a_suite_without_an_answer_counts_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems = written(tmp_path, "case,suite\na,s1\nb,s2\n", "problems.csv")
    outcomes = written(tmp_path, "model,case,suite,passed\nm,a,s1,true\n")

    report = scored(capsys, outcomes, "--problems", str(problems))

    assert report["subjects"][0]["overall"]["macro"]["value"] == 0.5


def test_an_empty_suite_has_no_score() -> None:
    assert steelyard.suite_score([]) is None
