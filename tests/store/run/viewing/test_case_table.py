"""The table of case states follows the run: what is added is counted once, what is missing is waiting."""

from pathlib import Path

from steelyard.model.run import SubjectSamples
from steelyard.model.viewing import CaseFilter, CaseStatus
from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import open_run
from steelyard.store.run.viewing import case_pages
from steelyard.store.run.viewing.case_table import StateTable
from tests.web.runs import add_rows, make_run, plain_texts


def counted(table: StateTable, engine: RunReader, path: Path) -> tuple[int, int]:
    """Bring the table up to date, and return how many samples there are and how many passed."""
    table.update(engine, open_run(path), dict)
    sums = case_pages.part_sums(table, CaseFilter())
    return sums.n, sums.c


def test_later_commits_are_added_and_a_finished_run_is_counted_again(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", cases=2, samples=2, finish=False)
    table, engine = StateTable(), RunReader(str(tmp_path / "run"))

    assert counted(table, engine, tmp_path / "run") == (8, 6)
    add_rows(store, plain_texts(), range(2, 4))
    assert counted(table, engine, tmp_path / "run") == (16, 12)
    store.finish()
    assert counted(table, engine, tmp_path / "run") == (16, 12)


def test_a_subject_that_was_extended_alone_waits_alone(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", cases=2, samples=2)
    more = SubjectSamples(model="m/weak", tier="T0", samples=5)
    store.extend(subject_samples=[more])
    table, engine = StateTable(), RunReader(str(tmp_path / "run"))
    table.update(engine, open_run(tmp_path / "run"), dict)

    waiting = case_pages.subject_sums(table, CaseFilter(status=CaseStatus.WAITING))

    assert {key.model: sums.cases for key, sums in waiting.items()} == {"m/weak": 2}
    assert open_run(tmp_path / "run").manifest.planned_total == 2 * 2 + 2 * 5


def test_tags_are_asked_for_only_when_the_plan_is_new(tmp_path: Path) -> None:
    make_run(tmp_path / "run", cases=1, samples=1)
    table, engine, asked = StateTable(), RunReader(str(tmp_path / "run")), list[int]()

    def tags() -> dict[tuple[str, str], tuple[str, ...]]:
        asked.append(1)
        return {}

    for _ in range(3):
        table.update(engine, open_run(tmp_path / "run"), tags)

    assert len(asked) == 1
