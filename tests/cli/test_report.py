"""`steelyard report`, and the other commands when they are given runs."""

from pathlib import Path

import pytest

from steelyard.sources.record_file import read_report
from tests.commands import strict_json, typed
from tests.store.run.small_run import small_manifest, small_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Make a small run."""
    small_run(tmp_path / "run").finish()
    return tmp_path / "run"


def test_a_run_is_reported_on_the_screen_and_into_files(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(
        capsys, "report", run, "--pass-k", "1,2", "-o", tmp_path / "r.json", "-o", tmp_path / "r.md"
    )

    assert (shown.code, shown.err) == (0, "")
    assert "acme/one" in shown.out
    assert strict_json((tmp_path / "r.json").read_text())["settings"]["pass_k"] == [1, 2]
    assert "**`acme/one` and `acme/two` pass" in (tmp_path / "r.md").read_text()


def test_more_figures_of_a_run_are_shown_on_demand_and_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file = tmp_path / "whole", tmp_path / "r.json"
    small_run(run, small_manifest(models=1, cases=1, planned=5)).finish()
    words = ("report", run, "--pass-k", "1,2", "--also-at-k", "g-pass,max")

    brief, whole = typed(capsys, *words, "-o", file), typed(capsys, *words, "--details")

    assert (brief.code, brief.err, whole.code) == (0, "", 0)
    assert "max@2" not in brief.out
    for shown in ("G-Pass@2_0.75", "mG-Pass@2", "max@2"):
        assert shown in whole.out
    [written], [read] = strict_json(file.read_text())["also_at_k"], read_report(file).also_at_k
    assert written["max_at_k"][0]["estimate"]["value"] == read.max_at_k[0].estimate.value
    assert read.max_at_k[0].estimate.value is not None


def test_another_rule_with_weights_scores_the_run_again(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("report", run, "--format", "json", "--scoring", "build-test-lint", "--weight", "lint=0")

    found = strict_json(typed(capsys, *words).out)

    assert found["settings"]["scoring"]["parameters"]["weights.lint"] == "0"


def test_a_weight_without_a_rule_is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "report", run, "--weight", "lint=0")

    assert shown.code == 2
    assert "require --scoring" in shown.err


def test_a_folder_without_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "report", tmp_path)

    assert shown.code == 2
    assert "there is no run here" in shown.err


def test_a_damaged_run_is_our_machines_fault_not_the_users(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "run.json").write_text("{", encoding="utf-8")

    shown = typed(capsys, "report", run)

    assert shown.code == 3
    assert "run.json" in shown.err


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_runs_and_reports_can_be_judged_alike(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    report = tmp_path / "report.json"
    typed(capsys, "report", run, "-o", report)

    of_runs = typed(capsys, command, "--baseline", run, "--current", run)
    of_files = typed(capsys, command, "--baseline", report, "--current", report)

    assert (of_runs.code, of_runs.out) == (of_files.code, of_files.out)
    assert of_runs.code in {0, 4}
