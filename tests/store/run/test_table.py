"""Committing to a table: once or not at all, by one writer, and with nothing left behind."""

import json
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.model.sample import SampleKey
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.location import Folder
from steelyard.store.run.rows import sample_rows
from steelyard.store.run.run_store import open_run
from steelyard.store.run.table import CHECKPOINT_INTERVAL, StoreTable
from tests.store.run.small_run import generated, small_run

KEYS = [SampleKey("acme/one", "T0", "basics", f"case-{case}", "d1", 0) for case in range(8)]


def opened(folder: Path) -> StoreTable:
    """Return a table as another process would see it."""
    return StoreTable(Folder(folder / "samples"), SAMPLE_COLUMNS, group_rows=4096)


def made(folder: Path) -> StoreTable:
    """Make an empty table and hold it."""
    table = opened(folder)
    table.create()
    table.hold()
    return table


def add(table: StoreTable, *cases: int, chunk: str) -> bool:
    """Add the answers to some cases."""
    return table.add(sample_rows([generated(KEYS[case]) for case in cases]), chunk=chunk)


def rows(table: StoreTable) -> int:
    """Return how many rows the log says there are."""
    return sum(file.rows for file in table.files())


def test_a_log_that_names_files_outside_of_its_table_is_refused(tmp_path: Path) -> None:
    for name in ("own", "other"):
        small_run(tmp_path / name, chunks=1)
    log = tmp_path / "own" / "outcomes" / "_delta_log" / f"{1:020d}.json"
    [foreign] = (tmp_path / "other" / "outcomes").glob("*.parquet")
    [own] = (tmp_path / "own" / "outcomes").glob("*.parquet")
    log.write_text(log.read_text().replace(own.name, f"../../other/outcomes/{foreign.name}"))

    with pytest.raises(StoreError, match="outside"):
        open_run(tmp_path / "own").outcomes.files()


def test_a_chunk_is_added_once(tmp_path: Path) -> None:
    table = made(tmp_path)

    first, again = add(table, 0, 1, chunk="a"), add(table, 0, 1, chunk="a")

    assert (first, again) == (True, False)
    assert rows(opened(tmp_path)) == 2


def test_a_chunk_is_known_to_whoever_opens_the_table_later(tmp_path: Path) -> None:
    add(made(tmp_path), 0, 1, chunk="a")
    resumed = opened(tmp_path)
    resumed.hold()

    assert not add(resumed, 1, 0, chunk="a")


def test_a_name_of_a_chunk_does_not_hide_other_rows(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, 1, chunk="a")

    with pytest.raises(StoreError, match="chunk 'a' was committed before with other rows"):
        add(table, 2, 3, chunk="a")

    assert rows(opened(tmp_path)) == 2


def test_a_chunk_may_come_again_after_its_rows_were_forgotten(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, 1, chunk="a")

    forgotten = table.forget("case_id = 'case-0' OR case_id = 'case-1'")

    assert forgotten == 2
    assert add(table, 0, 1, chunk="a")
    assert not add(table, 0, 1, chunk="a")
    assert rows(opened(tmp_path)) == 2


def test_forgetting_nothing_leaves_the_writer_in_charge(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, chunk="a")

    assert table.forget("case_id = 'nowhere'") == 0
    assert add(table, 1, chunk="b")


def test_the_first_of_two_writers_makes_the_second_stop(tmp_path: Path) -> None:
    table = made(tmp_path)
    other = opened(tmp_path)
    other.hold()
    add(other, 0, chunk="a")

    with pytest.raises(StoreError, match="process"):
        add(table, 1, chunk="b")

    assert rows(opened(tmp_path)) == 1


def test_a_refused_writer_goes_on_when_it_holds_the_table_again(tmp_path: Path) -> None:
    table = made(tmp_path)
    other = opened(tmp_path)
    other.hold()
    add(other, 0, chunk="a")

    table.hold()

    assert add(table, 1, chunk="b")


def test_a_table_opened_to_be_read_refuses_rows(tmp_path: Path) -> None:
    made(tmp_path)

    with pytest.raises(StoreError, match=r"opened.*written"):
        add(opened(tmp_path), 0, chunk="a")


def test_a_reader_sees_one_state_of_the_table(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, chunk="a")
    reader = opened(tmp_path)
    before = rows(reader)

    add(table, 1, chunk="b")

    assert (before, rows(reader), rows(table)) == (1, 1, 2)
    assert reader.has_moved()
    assert not opened(tmp_path).has_moved()


def test_sweeping_removes_what_killed_writers_left_and_nothing_else(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, chunk="a")
    leftovers = [
        *("part-00000-left-c000.zstd.parquet", "part-00001-left.parquet#1"),
        *("_delta_log/_commit_left.json.tmp", "_delta_log/00000000000000000009.json#1"),
    ]
    for name in leftovers:
        (tmp_path / "samples" / name).write_bytes(b"half a fi")
    (tmp_path / "samples" / "notes.txt").write_text("mine")

    assert table.sweep() == 2

    assert not [name for name in leftovers if (tmp_path / "samples" / name).exists()]
    assert (tmp_path / "samples" / "notes.txt").exists()
    assert rows(opened(tmp_path)) == 1
    assert add(table, 1, chunk="b")


def test_a_writer_that_does_not_know_of_a_commit_does_not_sweep_its_file_away(tmp_path: Path) -> None:
    table = made(tmp_path)
    other = opened(tmp_path)
    other.hold()
    add(other, 0, chunk="a")

    with pytest.raises(StoreError, match="another process"):
        table.sweep()

    assert rows(opened(tmp_path)) == 1


def test_whoever_was_writing_a_file_that_is_swept_away_cannot_commit_it(tmp_path: Path) -> None:
    table = made(tmp_path)
    other = opened(tmp_path)
    other.hold()

    table.sweep()

    with pytest.raises(StoreError, match="another process"):
        add(other, 0, chunk="a")


def test_the_log_is_summed_up_now_and_then(tmp_path: Path) -> None:
    table = made(tmp_path)
    for number in range(CHECKPOINT_INTERVAL):
        add(table, chunk=str(number))

    names = Folder(tmp_path / "samples" / "_delta_log").names()

    assert f"{CHECKPOINT_INTERVAL:020d}.checkpoint.parquet" in names
    assert "_last_checkpoint" in names
    assert not add(opened_and_held(tmp_path), chunk="0")


def test_a_table_that_is_summed_up_is_held_anew_and_still_by_one_writer(tmp_path: Path) -> None:
    """The library gets slower and larger with each commit to one open table: 1,400 took 3.2 times as long."""
    table = made(tmp_path)
    before = table.delta()
    other = opened_and_held(tmp_path)
    for number in range(CHECKPOINT_INTERVAL):
        add(table, chunk=str(number))

    assert table.delta() is not before
    assert not add(table, chunk="0")
    assert add(table, 1, chunk="more")
    with pytest.raises(StoreError, match="another process"):
        add(other, 0, chunk="other")


def opened_and_held(folder: Path) -> StoreTable:
    """Open a table to write to it."""
    table = opened(folder)
    table.hold()
    return table


def test_only_the_files_that_can_hold_a_value_are_listed(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, 1, chunk="a")
    add(table, 4, 5, chunk="b")

    assert [file.rows for file in table.files({"case_id": "case-4"})] == [2]
    assert table.files({"case_id": "case-9"}) == ()
    assert len(table.files({"model": "acme/one"})) == 2


def test_an_empty_table_has_no_files_whatever_they_should_hold(tmp_path: Path) -> None:
    assert made(tmp_path).files({"case_id": "case-4"}) == ()


def test_the_log_counts_nulls_and_extremes(tmp_path: Path) -> None:
    table = made(tmp_path)
    add(table, 0, 1, chunk="a")
    add(table, 4, 5, chunk="b")

    counts = table.counts()

    assert (counts["case_id"].nulls, counts["case_id"].lowest, counts["case_id"].highest) == (
        0,
        "case-0",
        "case-5",
    )
    assert (counts["error"].nulls, counts["error"].lowest) == (4, None)
    assert "text" not in counts


def test_replacing_all_rows_keeps_the_schema(tmp_path: Path) -> None:
    table = made(tmp_path)
    before = table.delta().schema().to_json()
    add(table, 0, 1, chunk="a")

    table.replace_all(sample_rows([generated(KEYS[2])]))

    assert opened(tmp_path).delta().schema().to_json() == before
    assert rows(opened(tmp_path)) == 1


def test_the_log_does_not_tell_where_the_table_was_made(tmp_path: Path) -> None:
    add(made(tmp_path), 0, chunk="a")

    for entry in (tmp_path / "samples" / "_delta_log").glob("*.json"):
        assert str(tmp_path) not in entry.read_text(encoding="utf-8")
    first = (tmp_path / "samples" / "_delta_log" / f"{0:020d}.json").read_text(encoding="utf-8")
    assert json.loads(first.splitlines()[0])["commitInfo"]["operationParameters"]["location"] == "."


@pytest.mark.parametrize("name", ["a folder", "größe", "100%", "a#b", "it's", "{x}"])
def test_a_table_lies_in_a_folder_of_any_usual_name(tmp_path: Path, name: str) -> None:
    table = made(tmp_path / name)

    add(table, 0, chunk="a")

    assert [Path(file.uri).parent for file in opened(tmp_path / name).files()] == [
        tmp_path / name / "samples"
    ]
