"""What is exported has the numbers of the report."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.app.export import export_log, export_run
from steelyard.model.options import RuleChoice
from steelyard.store.run.run_store import open_run
from tests.runner.small_session import SAMPLES, SET, Voice, began, case, went_on

TRAP = replace(case("trap", exact="never"), honeypot=True)
TRAPPED = replace(SET, cases=(*SET.cases[:2], TRAP))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two cases that are always passed, and of a honeypot that never is."""
    began(tmp_path / "r", Voice(), TRAPPED)
    return tmp_path / "r"


def test_honeypots_are_in_no_table_of_outcomes(run: Path, tmp_path: Path) -> None:
    rows = export_run(run, tmp_path / "rows.csv")

    scored = steelyard.score_files(tmp_path / "rows.csv", rule=RuleChoice(name="given"))
    assert rows == 2 * SAMPLES
    assert scored.subjects[0].pass_rate.value == steelyard.report_run(run).subjects[0].pass_rate.value == 1.0
    assert export_run(run, tmp_path / "samples.csv", table="samples") == 3 * SAMPLES


def test_honeypots_are_in_no_log_and_are_counted(run: Path, tmp_path: Path) -> None:
    found = export_log(run, tmp_path / "out", to="evalplus")

    [file] = found.files
    assert sorted(json.loads(Path(file).read_text(encoding="utf-8"))["eval"]) == ["c0", "c1"]
    assert [(one.count, one.why) for one in found.left_out if one.what == "answers"] == [
        (SAMPLES, "to honeypots, which no metric counts")
    ]


def test_a_log_of_an_unfinished_run_says_so(run: Path, tmp_path: Path) -> None:
    finished = export_log(run, tmp_path / "finished", to="inspect")
    open_run(run).extend(planned_samples=SAMPLES + 1)
    unfinished = export_log(run, tmp_path / "unfinished", to="inspect")

    found = [
        steelyard.import_files(one.files, f"{tmp_path}/{at}") for at, one in enumerate((finished, unfinished))
    ]

    assert [[one.count for one in run.left_out if one.what == "samples"] for run in found] == [[], [2]]


@pytest.mark.check_all
def test_the_earlier_form_of_a_case_is_in_no_table_of_outcomes(run: Path, tmp_path: Path) -> None:
    changed = replace(TRAPPED, cases=(case("c0", exact="yes, sir"), *TRAPPED.cases[1:]))
    assert went_on(run, Voice(), changed).is_complete

    assert export_run(run, tmp_path / "rows.csv") == 2 * SAMPLES
    assert steelyard.score_files(tmp_path / "rows.csv", rule=RuleChoice(name="given")).cases
