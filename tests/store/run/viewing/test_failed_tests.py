"""A failed test is found by its whole name, as text, wherever the store keeps it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.model.viewing import CaseFilter, FailedTest, PageRequest
from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.viewing import failed_tests as looking
from steelyard.store.run.viewing.attempts import answer_groups
from steelyard.store.run.viewing.case_pages import case_page
from steelyard.store.run.viewing.case_table import StateTable
from steelyard.store.run.viewing.failed_tests import FailedCases, failed_tests
from steelyard.store.run.viewing.search import Progress
from tests.store.run.viewing.conftest import Opened
from tests.web.runs import add_rows, make_run, plain_texts

AWKWARD = ("it's 100%", "a_b", "<script>x</script>", 'say "hi"', "two\nlines", "test[a: b]", "é\N{SNOWMAN}")


def said(*names: str) -> str:
    return "\n".join(f"{name}: AssertionError: other: no" for name in names)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Opened]:
    store = make_run(tmp_path / "run", cases=2, finish=False, texts={"detail": said("test_add", *AWKWARD)})
    found = replace(opened_at(tmp_path / "run"), store=store)
    yield found
    found.table.close()
    found.engine.close()


def opened_at(path: Path) -> Opened:
    found = Opened(open_run(path), RunReader(str(path)), StateTable())
    found.table.update(found.engine, found.store, dict)
    return found


def listed(live: Opened, cases: FailedCases, name: str) -> list[tuple[str, str]]:
    assert all(isinstance(one, Progress) for one in cases.look(live.engine, live.store, name))
    page = case_page(live.table, CaseFilter(failed=name), PageRequest())
    return [(row.model, row.case) for row in page.rows]


def test_cases_are_listed_by_the_whole_name_of_a_test_that_failed(live: Opened) -> None:
    listings = {name: listed(live, FailedCases(live.table), name) for name in ("test_add", *AWKWARD)}

    cases = [("m/weak", "add-0"), ("m/weak", "add-1")]
    assert all(listing == cases for listing in listings.values()), listings


def test_a_part_of_a_name_a_pattern_or_another_word_finds_nothing(live: Opened) -> None:
    parts = ("test_ad", "est_add", "test_add:", "TEST_ADD", "lines'--", "\0")
    patterns = ("a%b", "axb", "a.b", "%", "_", "AssertionError")

    listings = {name: listed(live, FailedCases(live.table), name) for name in parts + patterns}

    assert not any(listings.values()), listings


def test_a_file_is_read_once_for_a_name_and_a_later_one_is_added(live: Opened, tmp_path: Path) -> None:
    cases = FailedCases(live.table)

    first = list(cases.look(live.engine, live.store, "test_new"))
    again = list(cases.look(live.engine, live.store, "test_new"))
    add_rows(live.store, {**plain_texts(), "detail": said("test_new")}, range(4, 6))
    grown = Opened(open_run(tmp_path / "run"), live.engine, live.table)
    later = list(cases.look(grown.engine, grown.store, "test_new"))

    assert (first, again, later) == ([Progress(16, 16)], [], [Progress(24, 24)])
    assert listed(grown, cases, "test_new") == [("m/weak", "add-0"), ("m/weak", "add-1")]


def test_files_that_were_put_together_are_read_anew(live: Opened, tmp_path: Path) -> None:
    cases = FailedCases(live.table)
    listed(live, cases, "test_add")
    add_rows(live.store, plain_texts(), range(4, 6))
    live.store.finish()
    finished = replace(live, store=open_run(tmp_path / "run"))

    assert list(cases.look(finished.engine, finished.store, "test_add")) == [Progress(24, 24)]
    assert len(listed(finished, cases, "test_add")) == 2


def test_a_look_that_was_stopped_goes_on_where_it_stopped(
    live: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_rows(live.store, {**plain_texts(), "detail": said("test_new")}, range(4, 6))
    store: RunStore = open_run(tmp_path / "run")
    monkeypatch.setattr(looking, "ROWS_AT_ONCE", 1)
    cases = FailedCases(live.table)

    stopped = cases.look(live.engine, store, "test_add")
    first = next(stopped)
    stopped.close()  # type: ignore[attr-defined]  # it is a generator
    rest = list(cases.look(live.engine, store, "test_add"))

    assert 0 < first.searched < 24
    assert rest == [Progress(24, 24)]


def test_names_that_were_asked_for_long_ago_are_forgotten_and_found_anew(live: Opened) -> None:
    cases = FailedCases(live.table)
    for number in range(looking.NAMES_KEPT + 1):
        listed(live, cases, "test_add" if number == 0 else f"test_{number}")

    with live.table.cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM failed_cases").fetchone() == (0,)
    assert len(listed(live, cases, "test_add")) == 2


def test_a_case_offers_its_failed_tests_with_the_number_of_samples(live: Opened) -> None:
    row = next(
        row for row in case_page(live.table, CaseFilter(), PageRequest()).rows if row.model == "m/weak"
    )

    found = failed_tests(live.engine, live.store, row)

    assert FailedTest("test_add", 2) in found.tests
    assert FailedTest("<script>x</script>", 2) in found.tests
    assert (found.samples, found.cut) == (2, 0)


@pytest.mark.parametrize(
    "detail", [f"{said('a')} …", f"{said('a')}\nand 5 more calls", "and 5 more calls\nexit code 1"]
)
def test_outputs_that_do_not_name_all_failed_tests_are_counted(detail: str, tmp_path: Path) -> None:
    make_run(tmp_path / "run", cases=1, texts={"detail": detail})
    opened = opened_at(tmp_path / "run")
    row = case_page(opened.table, CaseFilter(), PageRequest()).rows[-1]

    assert failed_tests(opened.engine, opened.store, row).cut == 2


def test_answers_of_a_case_are_those_that_failed_the_test(live: Opened) -> None:
    row = next(
        row for row in case_page(live.table, CaseFilter(), PageRequest()).rows if row.model == "m/weak"
    )

    def attempts(name: str) -> list[tuple[int, ...]]:
        groups, *_ = answer_groups(live.engine, live.store, row, start=0, size=9, failed=name)
        return [group.attempts for group in groups]

    assert attempts("") == [(0, 2), (1, 3)]
    assert attempts("test_add") == [(1, 3)]
    assert attempts("it's 100%") == [(1, 3)]
    assert attempts("test_ad") == []
