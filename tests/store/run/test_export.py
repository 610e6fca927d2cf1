"""What a run is exported to says everything that the run does."""

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from steelyard.app.report import report_run
from steelyard.app.score import score_files
from steelyard.errors import InputError, StoreError, UserError
from steelyard.model.options import RuleChoice
from steelyard.model.sample import Sample
from steelyard.model.viewing import Mark
from steelyard.render.json import JsonRenderer
from steelyard.store.run.columns import OUTCOME_COLUMNS, SAMPLE_COLUMNS
from steelyard.store.run.export import export_run
from steelyard.store.run.run_store import create_run
from steelyard.store.run.viewing.marks import add_mark
from tests.store.run.small_run import MANIFEST, generated, small_run

NAMES = ["rows.parquet", "rows.csv", "rows.tsv", "rows.jsonl", "rows.csv.gz"]


def texts_in(path: Path) -> list[str]:
    """Read the answers in a file as another tool would."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as lines:
            return [row["text"] for row in csv.DictReader(lines)]
    return [text for (text,) in duckdb.execute(f"FROM '{path}' SELECT text").fetchall()]


@pytest.mark.parametrize("name", NAMES)
def test_an_exported_file_is_scored_as_the_run_is_reported(name: str, tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    rows = export_run(tmp_path / "run", tmp_path / name)
    scored = score_files(tmp_path / name, rule=RuleChoice(name="build-test-lint"))

    assert rows == 24
    reported = replace(report_run(tmp_path / "run"), unchecked=None)  # a file does not say why
    lines = [JsonRenderer().render(report).splitlines() for report in (scored, reported)]
    different = [pair for pair in zip(*lines, strict=True) if pair[0] != pair[1]]
    assert [pair[0].strip().split(":")[0] for pair in different] == ['"expected_from"']


def test_rows_are_sorted_and_columns_stand_in_the_order_of_the_table(tmp_path: Path) -> None:
    small_run(tmp_path / "run", chunks=5)

    export_run(tmp_path / "run", tmp_path / "rows.jsonl", table="samples")

    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    keys = [(row["model"], row["case_id"], row["attempt"]) for row in rows]
    assert keys == sorted(keys)
    known = [column.name for column in SAMPLE_COLUMNS]
    assert [name for name in known if name in rows[0]] == list(rows[0])
    assert rows[0]["text"] == "answer 0 of acme/one to case-0"


def test_columns_that_nobody_filled_are_left_out(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    export_run(tmp_path / "run", tmp_path / "rows.csv")

    header = (tmp_path / "rows.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
    left_out = {column.name for column in OUTCOME_COLUMNS} - set(header)
    assert {"impl_micro", "diagnostic_errors"} <= left_out
    assert not {column.name for column in OUTCOME_COLUMNS if column.is_required} & left_out


@pytest.mark.parametrize("name", ["rows.csv", "rows.tsv", "rows.jsonl", "rows.parquet"])
def test_a_text_that_a_spreadsheet_would_run_is_marked_where_spreadsheets_read(
    name: str, tmp_path: Path
) -> None:
    texts = ["=cmd|'/C calc'!A0", "+1", "--- a/file", "@SUM(1)", "\ttab", "\rreturn", "a=b"]
    store = create_run(tmp_path / "run", MANIFEST)
    samples: list[Sample] = [
        generated(key, text=text) for key, text in zip(store.pending(), texts, strict=False)
    ]
    store.add_samples(samples, chunk="one")

    export_run(tmp_path / "run", tmp_path / name, table="samples")

    is_for_spreadsheets = name.endswith((".csv", ".tsv"))
    marked = [f"'{text}" if is_for_spreadsheets and text != "a=b" else text for text in texts]
    assert texts_in(tmp_path / name) == marked


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl", "rows.parquet"])
def test_answers_come_through_whatever_they_hold(name: str, tmp_path: Path) -> None:
    texts = ['say "hi",\r\nthen\tgo', "", "null", "\\N", "naïve 🙂", " spaces ", "{'a': [1]}"]
    store = create_run(tmp_path / "run", MANIFEST)
    samples: list[Sample] = [
        generated(key, text=text) for key, text in zip(store.pending(), texts, strict=False)
    ]
    store.add_samples(samples, chunk="one")

    export_run(tmp_path / "run", tmp_path / name, table="samples")

    assert texts_in(tmp_path / name) == texts


def test_a_run_without_rows_gives_a_file_without_rows(tmp_path: Path) -> None:
    create_run(tmp_path / "run", MANIFEST)

    assert export_run(tmp_path / "run", tmp_path / "rows.csv") == 0
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8").startswith("model,tier,suite,case_id")


@pytest.mark.parametrize("name", ["rows.xlsx", "rows", "rows.parquet.gz"])
def test_a_suffix_that_names_no_format_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="suffix"):
        export_run(tmp_path / "run", tmp_path / name)


def test_an_unknown_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"outcomes.*marks"):
        export_run(tmp_path / "run", tmp_path / "rows.csv", table="answers")


def test_a_place_that_takes_no_file_is_named(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match=r"rows\.csv.*written"):
        export_run(tmp_path / "run", tmp_path / "file" / "rows.csv")


def test_a_full_disk_leaves_neither_half_a_file_nor_a_draft(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    goal = tmp_path / "out" / "rows.csv"
    limited = (
        "import resource, sys; from steelyard.store.run.export import export_run;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)); export_run(*sys.argv[1:])"
    )

    done = subprocess.run(
        [sys.executable, "-c", limited, str(tmp_path / "run"), str(goal)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert StoreError.__name__ in done.stderr
    assert "cannot be written" in done.stderr
    assert list(goal.parent.iterdir()) == []


def test_marks_are_written_with_the_key_of_their_sample(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    made = {"author": "ada", "at": "2026-11-16T00:00:00Z"}
    mark = Mark(key=7, attempt=2, case="add", label="wrong", note="=1+1", is_blind=True, **made)
    add_mark(str(tmp_path / "run"), mark)
    add_mark(str(tmp_path / "run"), replace(mark, label="right"))

    assert export_run(tmp_path / "run", tmp_path / "marks.csv", table="marks") == 2

    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["case_id"], first["attempt"], first["case_key"]) == ("add", "2", "7")
    assert (first["label"], second["label"], first["is_blind"]) == ("wrong", "right", "true")
    assert first["note"] == "'=1+1"


def test_a_run_without_marks_has_an_empty_table_of_them(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    assert export_run(tmp_path / "run", tmp_path / "marks.jsonl", table="marks") == 0
