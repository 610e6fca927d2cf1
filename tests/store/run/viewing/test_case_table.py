"""The table of case states follows the run: what is added is counted once, what is missing is waiting."""

from dataclasses import replace
from pathlib import Path

from steelyard.model.run import SubjectSamples
from steelyard.model.viewing import CaseFilter, CaseStatus
from steelyard.store.run.files import RunReader
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.run_store import open_run
from steelyard.store.run.viewing import case_pages
from steelyard.store.run.viewing.case_table import StateTable
from tests.web.runs import add_rows, make_run, outcome, plain_texts, sample


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


def test_by_a_stop_rule_a_case_waits_while_an_answer_is_not_checked(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", cases=2, samples=1, models=("m",), finish=False)
    rule = replace(store.manifest, planned_samples=4, stop_rule="maximum=4,passes=1")
    write_manifest(store.location, rule)
    table, engine = StateTable(), RunReader(str(tmp_path / "run"))

    def waiting() -> int:
        table.update(engine, open_run(tmp_path / "run"), dict)
        return case_pages.part_sums(table, CaseFilter(status=CaseStatus.WAITING)).cases

    assert waiting() == 0
    said, case = plain_texts(), store.manifest.cases[0]
    one = sample((store.manifest.subjects[0], case, 1), said, is_good=True)
    store.add_samples([one], chunk="more")
    assert waiting() == 1
    store.add_outcomes([(one, outcome(said, is_good=True))], chunk="more")
    assert waiting() == 0
