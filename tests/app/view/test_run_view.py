"""One run, as a viewer sees it: made when needed, and never an older run at the same address."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.app.view import run_view
from steelyard.app.view.run_view import RunView
from steelyard.model.viewing import Hit, SearchScope
from steelyard.store.run import files
from steelyard.store.run.files import RunReader
from tests.store.run.small_run import small_manifest, small_run
from tests.web.runs import make_run


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunView]:
    make_run(tmp_path / "run", cases=1, samples=1)
    opened = RunView("1", str(tmp_path / "run"), "run", RunReader(str(tmp_path / "run")))
    yield opened
    opened.close()


def test_a_line_in_a_list_of_runs_starts_no_database(run: RunView, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError("a database was started")

    monkeypatch.setattr(run_view, "StateTable", unwanted)
    monkeypatch.setattr(files, "connect", unwanted)

    assert run.line().cases == 1
    assert run.generated_and_checked() == (2, 2)


def test_a_run_that_was_made_again_at_the_same_address_is_another(
    run: RunView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_view, "FRESH_S", 0.0)
    before = run.version
    shutil.rmtree(tmp_path / "run")
    make_run(tmp_path / "run", cases=1, samples=1, texts={"id": "run-2"})

    assert run.version[1:] == before[1:]
    assert run.version != before


def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 1000")

    monkeypatch.setattr(run_view, "getuser", nameless)

    assert run_view.this_user().isdigit()


def test_answers_to_an_earlier_form_of_a_case_are_neither_counted_nor_found(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", small_manifest(models=1))
    store.extend(cases=[replace(store.manifest.cases[0], digest="d2")])
    view = RunView("r", str(tmp_path / "run"), "run", RunReader(str(tmp_path / "run")))

    counts, planned = view.generated_and_checked(), view.manifest.planned_total
    hits = [one for one in view.search("answer", SearchScope.ANSWERS) if isinstance(one, Hit)]
    view.close()

    assert (counts, planned) == ((9, 9), 12)
    assert {hit.case for hit in hits} == {"case-1", "case-2", "case-3"}
