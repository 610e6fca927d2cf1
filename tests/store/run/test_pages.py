from pathlib import Path

from steelyard.model.sample import Sample
from steelyard.model.state import CaseKey
from steelyard.store.run.pages import samples_of
from steelyard.store.run.run_store import RunStore, open_run
from tests.store.run.small_run import drawn, seen, small_manifest, small_run

CASE = CaseKey("acme/1", "T0", "basics", "case-2")


def _run(folder: Path, *, planned: int = 7) -> RunStore:
    return small_run(folder, small_manifest(planned=planned), chunks=3)


def _drawn(store: RunStore) -> list[Sample]:
    wanted = store.manifest.wanted()
    return [drawn(key) for key in wanted if (key.model, key.case) == (CASE.model, CASE.case)]


def test_a_page_holds_a_cases_samples_by_attempt(tmp_path: Path) -> None:
    store = _run(tmp_path / "run")

    page = samples_of(store, CASE)

    assert [shown.sample for shown in page] == _drawn(store)


def test_a_page_says_what_the_check_saw_beside_each_sample(tmp_path: Path) -> None:
    store = _run(tmp_path / "run")

    for shown in samples_of(store, CASE):
        facts = seen(shown.sample).facts
        assert shown.outcome is not None
        assert shown.outcome["tests_passed"] == facts.tests_passed
        assert shown.outcome["lint_warnings"] == facts.lint_warnings


def test_pages_follow_each_other_without_gap_or_repetition(tmp_path: Path) -> None:
    store = _run(tmp_path / "run")

    pages = [samples_of(store, CASE, first=first, count=3) for first in (0, 3, 6, 9)]

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [shown.sample for page in pages for shown in page] == _drawn(store)


def test_a_sample_that_was_not_checked_yet_is_shown_without_an_outcome(tmp_path: Path) -> None:
    store = _run(tmp_path / "run")
    store.extend(planned_samples=8)
    late = [drawn(key) for key in store.undrawn() if key.case == CASE.case]
    store.add_samples(late, chunk="late")

    outcomes = [shown.outcome for shown in samples_of(store, CASE)]

    assert len(outcomes) == 8
    assert [outcome is None for outcome in outcomes] == [False] * 7 + [True]


def test_a_page_is_the_same_before_and_after_the_run_is_put_in_order(tmp_path: Path) -> None:
    store = _run(tmp_path / "run")
    before = samples_of(open_run(tmp_path / "run"), CASE)

    store.finish()

    assert samples_of(open_run(tmp_path / "run"), CASE) == before


def test_a_case_that_nobody_answered_has_an_empty_page(tmp_path: Path) -> None:
    assert samples_of(_run(tmp_path / "run"), CASE._replace(case="case-99")) == ()
