"""A run of imported outcomes says what the files said, and no more."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.model.sample import Sample
from steelyard.store.run.run_store import prepare_run
from tests.store.run.small_run import MANIFEST

COUNTS = "model,case,n,c\na/m,one,5,3\na/m,two,5,2\na/m,three,5,4\n"
KINDS = (
    "model,case,attempt,passed,classification\n"
    "m,a,0,true,\nm,a,1,false,timeout\nm,a,2,false,refusal\nm,a,3,false,\n"
)


def imported(tmp_path: Path, text: str) -> tuple[Path, Path]:
    """Return a file of outcomes, and the run that was made of it."""
    file = tmp_path / "outcomes.csv"
    file.write_text(text, encoding="utf-8")
    steelyard.import_files(file, tmp_path / "run")
    return file, tmp_path / "run"


@pytest.mark.parametrize("rule", [None, "accuracy"])
def test_samples_without_attempts_make_no_runs(tmp_path: Path, rule: str | None) -> None:
    file, run = imported(tmp_path, COUNTS)
    chosen = None if rule is None else steelyard.RuleChoice(name=rule)

    assert steelyard.score_files(file).subjects[0].runs is None
    assert steelyard.report_run(run, rule=chosen).subjects[0].runs is None


def test_kinds_of_failures_that_a_table_names_are_exported(tmp_path: Path) -> None:
    _, run = imported(tmp_path, KINDS)

    steelyard.export_run(run, tmp_path / "again.csv")

    lines = (tmp_path / "again.csv").read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("classification")
    assert sorted(line.split(",")[place] for line in lines[1:]) == ["", "", "refusal", "timeout"]


def test_outcomes_are_not_imported_beside_the_answers_of_a_stopped_import(tmp_path: Path) -> None:
    store = prepare_run(tmp_path / "run", MANIFEST)
    kept = Sample(model="acme/one", suite="basics", case="case-0", digest="d1", attempt=0, text="kept")
    store.add_samples([kept], chunk="1")

    with pytest.raises(InputError, match="import"):
        imported(tmp_path, COUNTS)
