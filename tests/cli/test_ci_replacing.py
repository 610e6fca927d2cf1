"""`steelyard ci` where an earlier baseline or earlier files are in the way."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.app.ci.pages import FILES
from steelyard.model.report import Report
from steelyard.model.trust import SubjectIntegrity
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import report_of, run
from tests.commands import Shown, typed

COUNTS = [(5, 5)] * 60
SEALED = (SubjectIntegrity(model="m", tier="T0", sealed=300, partial=0, open=0, unknown=0),)
NOW = replace(run(COUNTS), integrity=SEALED)
SCORING = replace(NOW.settings.scoring, name="other_rule")
STOPPED = replace(NOW, settings=replace(NOW.settings, stop_rule="first-pass"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITLAB_CI"):
        monkeypatch.delenv(variable, raising=False)


def written(name: str, report: Report) -> str:
    Path(name).write_text(JsonRenderer().render(report), encoding="utf-8")
    return name


def run_ci(capsys: pytest.CaptureFixture[str], *options: str, current: Report = NOW) -> Shown:
    return typed(capsys, "ci", "--current", written("now.json", current), *options)


def keep(capsys: pytest.CaptureFixture[str], report: Report) -> None:
    assert typed(capsys, "baseline", "set", "main", written("before.json", report)).code == 0


OTHERS = {
    "no subject in common": replace(report_of({("a", "T0"): COUNTS, ("b", "T0"): COUNTS}), integrity=SEALED),
    "scored by different rules": replace(NOW, settings=replace(NOW.settings, scoring=SCORING)),
    "the integrity of these samples is unknown": run(COUNTS),
    "sampling stopped by the rule": STOPPED,
}


@pytest.mark.parametrize(("why", "before"), OTHERS.items(), ids=OTHERS)
def test_a_baseline_that_allows_no_comparison_can_be_replaced(
    why: str, before: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(capsys, before)
    required = ("--require-baseline", "--require-integrity", "sealed")

    refused = run_ci(capsys, "--keep", *required)
    accepted = run_ci(capsys, "--accept", *required)

    assert (refused.code, accepted.code, run_ci(capsys, *required).code) == (2, 0, 0)
    assert "without a comparison" in accepted.err
    assert why in accepted.err


def test_a_baseline_that_cannot_be_read_can_be_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("baselines").mkdir()
    Path("baselines/main.json").write_text("{<b>", encoding="utf-8")

    assert run_ci(capsys, "--keep").code == 2
    assert run_ci(capsys, "--accept").code == 0
    comment = Path("steelyard-report/comment.md").read_text(encoding="utf-8")
    assert comment.startswith("The baseline `main` in `baselines` is replaced without a comparison: ")
    assert "this is not JSON" in comment
    assert {path.name for path in Path("steelyard-report").iterdir()} == {
        "comment.md",
        "report.html",
        "report.json",
    }
    assert "gate.html" not in Path("steelyard-report/report.html").read_text(encoding="utf-8")


def test_a_baseline_that_is_required_is_made_by_accepting_and_a_lost_one_is_noticed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_ci(capsys, "--require-baseline").code == 2
    assert run_ci(capsys, "--require-baseline", "--keep").code == 2
    assert run_ci(capsys, "--require-baseline", "--accept").code == 0
    assert run_ci(capsys, "--require-baseline").code == 0


def test_a_report_that_nothing_can_be_compared_with_replaces_no_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    keep(capsys, NOW)

    shown = run_ci(capsys, "--accept", current=STOPPED)

    assert shown.code == 2
    assert "current report" in shown.err
    assert run_ci(capsys).code == 0


def test_a_comparison_that_is_refused_still_leaves_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    keep(capsys, OTHERS["scored by different rules"])

    assert run_ci(capsys).code == 2
    assert {path.name for path in Path("steelyard-report").iterdir()} == {"report.html", "report.json"}


def test_files_of_an_earlier_job_are_gone_even_if_this_one_fails(capsys: pytest.CaptureFixture[str]) -> None:
    keep(capsys, NOW)
    run_ci(capsys)
    Path("steelyard-report/mine.txt").touch()
    Path("elsewhere.xml").write_text("kept", encoding="utf-8")
    Path("steelyard-report/gate.xml").unlink()
    Path("steelyard-report/gate.xml").symlink_to("../elsewhere.xml")

    assert typed(capsys, "ci", "--current", "absent.json").code == 2
    assert [path.name for path in Path("steelyard-report").iterdir()] == ["mine.txt"]
    assert Path("elsewhere.xml").read_text(encoding="utf-8") == "kept"


def test_a_report_that_lies_in_the_folder_is_read_before_it_is_replaced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("steelyard-report").mkdir()
    written("steelyard-report/report.json", NOW)

    assert typed(capsys, "ci", "--current", "steelyard-report/report.json", "--keep").code == 0


def test_a_folder_in_place_of_a_file_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("steelyard-report/gate.html").mkdir(parents=True)

    shown = run_ci(capsys)

    assert shown.code == 2
    assert "steelyard-report/gate.html: cannot be removed" in shown.err


def test_a_job_writes_no_file_that_the_next_one_would_leave(capsys: pytest.CaptureFixture[str]) -> None:
    keep(capsys, NOW)
    run_ci(capsys)

    assert {path.name for path in Path("steelyard-report").iterdir()} == set(FILES)
