"""The answers that stand beside a comparison."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.app.ci.job import ci
from steelyard.app.compare import compared_samples
from steelyard.model.comparison import Comparison
from tests.browser.runs import SMALL, make_run

SHAPE = replace(SMALL, models=1, cases=8, samples=3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("runs")
    before = make_run(folder / "before", SHAPE)
    return str(before), str(make_run(folder / "after", replace(SHAPE, seed=2, shift=-0.4)))


def changed(comparison: Comparison) -> set[str]:
    return {one.case for one in (*comparison.regressions, *comparison.improvements)}


def test_the_cases_that_changed_have_samples_of_both_runs(runs: tuple[str, str]) -> None:
    comparison = steelyard.compare(*runs)

    samples = compared_samples(*runs, comparison)

    assert changed(comparison)
    assert {one.key.case for one in samples if one.of_baseline} == changed(comparison)
    assert {one.key.case for one in samples if not one.of_baseline} == changed(comparison)


def test_a_baseline_that_is_kept_leads_to_its_run_while_that_is_there(
    runs: tuple[str, str], tmp_path: Path
) -> None:
    before, after = runs
    place = str(tmp_path / "baselines")
    steelyard.set_baseline("main", before, baselines=place)
    comparison = steelyard.compare("main", after, baselines=place)

    assert compared_samples("main", after, comparison, baselines=place) == compared_samples(*runs, comparison)
    steelyard.set_baseline("gone", before, baselines=place)
    text = (tmp_path / "baselines" / "gone.json").read_text(encoding="utf-8")
    (tmp_path / "baselines" / "gone.json").write_text(text.replace(before, "/nowhere"), encoding="utf-8")
    assert compared_samples("gone", after, comparison, baselines=place) == ()


def test_reports_have_no_samples(runs: tuple[str, str], tmp_path: Path) -> None:
    before, after = runs
    report = steelyard.report_run(before)
    comparison = steelyard.compare(report, after)

    assert compared_samples(report, after, comparison) == ()
    assert compared_samples(after, steelyard.open_run(after), comparison) != ()


def test_the_pages_of_a_job_lead_to_each_other_case_by_case(runs: tuple[str, str], tmp_path: Path) -> None:
    before, after = runs
    place = str(tmp_path / "baselines")
    steelyard.set_baseline("main", before, baselines=place)
    ci(after, baselines=place, folder=tmp_path / "out")
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("*.html")}

    assert 'href="gate.html"' in pages["report"]
    assert 'href="comparison.html"' in pages["report"]
    assert 'href="report.html#case=' in pages["comparison"]
    assert "both answers" in pages["comparison"]
    assert 'href="comparison.html#case=' in pages["gate"]


def test_a_job_without_a_baseline_has_no_links_to_pages_that_are_not_there(
    runs: tuple[str, str], tmp_path: Path
) -> None:
    ci(runs[1], baselines=str(tmp_path / "none"), folder=tmp_path / "out")

    assert 'href="gate.html"' not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_another_run_where_that_of_the_baseline_was_is_not_taken_for_it(
    runs: tuple[str, str], tmp_path: Path
) -> None:
    """In a job, the run of the change itself may lie at the path at which the baseline's was."""
    before, after = runs
    place, path = str(tmp_path / "baselines"), tmp_path / "current"
    shutil.copytree(before, path)
    steelyard.set_baseline("main", path, baselines=place)
    shutil.rmtree(path)
    shutil.copytree(after, path)
    manifest = json.loads((path / "run.json").read_text(encoding="utf-8"))
    (path / "run.json").write_text(json.dumps({**manifest, "id": "another"}), encoding="utf-8")
    comparison = steelyard.compare("main", path, baselines=place)

    assert changed(comparison)
    assert compared_samples("main", path, comparison, baselines=place) == ()
