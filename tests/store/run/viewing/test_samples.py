"""A sample is read whole, with its place among the attempts; other attempts' texts are not."""

from pathlib import Path

from steelyard.model.viewing import CaseFilter, CaseRow, PageRequest
from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import open_run
from steelyard.store.run.viewing import case_pages
from steelyard.store.run.viewing.attempts import STRIP, answer_groups, with_strips
from steelyard.store.run.viewing.case_table import StateTable
from steelyard.store.run.viewing.samples import stored_sample
from tests.store.run.viewing.conftest import Opened
from tests.web.runs import BAD, DETAIL, make_run


def row_of(opened: Opened, model: str) -> CaseRow:
    rows = case_pages.case_page(opened.table, CaseFilter(), PageRequest(size=100)).rows
    return next(row for row in rows if row.model == model)


def test_a_failed_sample_has_its_texts_and_its_neighbours(opened: Opened) -> None:
    found = stored_sample(opened.engine, opened.store, row_of(opened, "m/weak"), 1)

    assert found is not None
    assert (found["text"], found["detail"], found["tests_failed"]) == (BAD, DETAIL, 2)
    assert (found["previous"], found["following"], found["equal"]) == (0, 2, [3])
    assert [kind for _, kind in found["strip"]] == ["pass", "fail", "pass", "fail"]  # type: ignore[attr-defined]


def test_there_is_no_sample_that_was_not_generated(opened: Opened) -> None:
    assert stored_sample(opened.engine, opened.store, row_of(opened, "m/weak"), 99) is None


def test_strips_are_those_of_each_case(opened: Opened) -> None:
    rows = [row_of(opened, "m/weak"), row_of(opened, "m/good")]

    found = with_strips(opened.engine, opened.store, rows)

    assert [[kind for _, kind in row.strip] for row in found] == [["pass", "fail"] * 2, ["pass"] * 4]


def test_equal_answers_that_ended_alike_are_one_group(opened: Opened) -> None:
    row = row_of(opened, "m/weak")

    groups, different, following = answer_groups(opened.engine, opened.store, row, start=0, size=10)

    assert [(group.attempts, group.kind) for group in groups] == [((0, 2), "pass"), ((1, 3), "fail")]
    assert (different, following) == (2, None)


def test_the_next_page_of_groups_begins_where_the_first_ended(opened: Opened) -> None:
    row = row_of(opened, "m/weak")
    first, _, following = answer_groups(opened.engine, opened.store, row, start=0, size=1)

    second, _, end = answer_groups(opened.engine, opened.store, row, start=following or 0, size=1)

    assert [group.attempts for group in (*first, *second)] == [(0, 2), (1, 3)]
    assert (following, end) == (1, None)


def test_the_failures_beside_a_sample_are_found_among_all_attempts(tmp_path: Path) -> None:
    make_run(tmp_path / "run", cases=1, samples=STRIP + 6, models=("m/good", "m/weak"))
    engine, table, store = RunReader(str(tmp_path / "run")), StateTable(), open_run(tmp_path / "run")
    table.update(engine, store, dict)
    row = row_of(Opened(store, engine, table), "m/weak")  # its odd attempts fail

    beside = []
    for attempt in (0, STRIP - 1, STRIP + 2, STRIP + 5):
        found = stored_sample(engine, store, row, attempt) or {}
        beside.append((found["previous_failure"], found["following_failure"]))
    table.close()
    engine.close()

    assert beside == [
        (None, 1),
        (STRIP - 3, STRIP + 1),
        (STRIP + 1, STRIP + 3),
        (STRIP + 3, None),
    ]
