"""Pages of the list of cases: whatever the filter and the order, every row comes once."""

from pathlib import Path

import pytest

from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.state import SubjectKey
from steelyard.model.viewing import CaseFilter, CaseOrder, CaseRow, CaseStatus, PageRequest
from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import create_run, open_run
from steelyard.store.run.viewing import case_pages
from steelyard.store.run.viewing.case_table import StateTable
from tests.store.run.small_run import generated, small_manifest
from tests.store.run.viewing.conftest import Opened

EVERY = CaseFilter()
WEAK = SubjectKey("m/weak", "T0")


def listed(opened: Opened, chosen: CaseFilter = EVERY) -> list[str]:
    """Return the cases of one page, each with the last word of its model."""
    page = case_pages.case_page(opened.table, chosen, PageRequest(size=100))
    return [f"{row.case} {row.model.rpartition('/')[2]}" for row in page.rows]


def walked(opened: Opened, order: CaseOrder, size: int) -> list[CaseRow]:
    """Return the rows of all pages from first to last."""
    rows, after = list[CaseRow](), None
    while True:
        page = case_pages.case_page(opened.table, EVERY, PageRequest(order=order, after=after, size=size))
        assert page.start == len(rows)
        rows += page.rows
        if not page.has_next:
            return rows
        after = rows[-1].key


@pytest.mark.parametrize("order", CaseOrder)
@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_pages_follow_each_other_without_a_gap(opened: Opened, order: CaseOrder, size: int) -> None:
    whole = case_pages.case_page(opened.table, EVERY, PageRequest(order=order, size=100)).rows

    assert tuple(walked(opened, order, size)) == whole
    assert len(whole) == 6


def test_the_page_before_a_row_ends_just_before_it(opened: Opened) -> None:
    rows = case_pages.case_page(opened.table, EVERY, PageRequest(size=100)).rows

    page = case_pages.case_page(opened.table, EVERY, PageRequest(before=rows[4].key, size=3))

    assert (page.rows, page.start) == (rows[1:4], 1)


def test_neighbours_are_those_of_the_filtered_list(opened: Opened) -> None:
    chosen = CaseFilter(subject=WEAK)
    rows = case_pages.case_page(opened.table, chosen, PageRequest(size=100)).rows
    keys = [row.key for row in rows]

    found = [case_pages.neighbours(opened.table, key, chosen, CaseOrder.NAME) for key in keys]

    assert found == [(None, keys[1]), (keys[0], keys[2]), (keys[1], None)]


@pytest.mark.parametrize(
    ("chosen", "number"),
    [
        (CaseFilter(subject=WEAK), 3),
        (CaseFilter(suite="nothing"), 0),
        (CaseFilter(tag="easy"), 2),
        (CaseFilter(kind=Classification.FAIL), 3),
        (CaseFilter(kind=Classification.TIMEOUT), 0),
        (CaseFilter(status=CaseStatus.SOLVED), 3),
        (CaseFilter(status=CaseStatus.MIXED), 3),
        (CaseFilter(status=CaseStatus.WAITING), 0),
        (CaseFilter(name="ADD-2"), 2),
        (CaseFilter(cost=0.004), 6),
        (CaseFilter(cost=0.0041), 0),
        (CaseFilter(latency=0.5), 6),
        (CaseFilter(latency=0.6), 0),
        (CaseFilter(tokens=20), 6),
        (CaseFilter(tokens=20.5), 0),
    ],
)
def test_a_filter_chooses(opened: Opened, chosen: CaseFilter, number: int) -> None:
    assert len(listed(opened, chosen)) == number
    assert case_pages.part_sums(opened.table, chosen).cases == number


def test_sums_count_every_sample_once(opened: Opened) -> None:
    by_subject = case_pages.subject_sums(opened.table, EVERY)

    assert {key.model: (sums.n, sums.c) for key, sums in by_subject.items()} == {
        "m/good": (12, 12),
        "m/weak": (12, 6),
    }
    assert case_pages.kind_counts(opened.table, EVERY)["fail"] == 6


def test_a_mean_of_tokens_is_over_the_answers_whose_tokens_are_known(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", small_manifest(models=1, cases=1, planned=3))
    first, second, third = list(store.pending())
    good, ours = Outcome(facts=Facts(built=True)), Outcome(facts=Facts(classification=Classification.ERROR))
    rows = [
        (generated(first, tokens_out=100), good),
        (generated(second, tokens_out=None), good),
        (generated(third, tokens_out=None), ours),
    ]
    store.add_outcomes(rows, chunk="0")
    engine, table = RunReader(str(tmp_path / "run")), StateTable()
    table.update(engine, open_run(tmp_path / "run"), dict)

    [row] = case_pages.case_page(table, EVERY, PageRequest(order=CaseOrder.NAME, size=5)).rows
    found = [case_pages.part_sums(table, CaseFilter(tokens=least)).cases for least in (100, 101)]
    table.close()
    engine.close()

    assert (row.tokens_out, found) == (100, [1, 0])
