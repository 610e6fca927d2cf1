"""What every sink must do. A package derives a class from `SinkSuite`, and pytest runs it over its sink.

The tests look at what the other system keeps, not at how it is called.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from steelyard.app.score import score_files
from steelyard.app.sinks import sent_run
from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import Accuracy
from steelyard.model.run import Manifest, Subject
from steelyard.model.sent_run import SentRun
from steelyard.ports import Sink

ROWS = "model,case,attempt,passed\nlab/a,c1,0,1\nlab/a,c2,0,0\nlab/b,c1,0,1\nlab/b,c2,0,1\n"
ODD = "a/b\"'`; DROP\n\x1b[31m\u202e 🦀 " + "x" * 1000
LONGEST_SHOWN = 100  # characters of a name that must be left of a long one


@dataclass(frozen=True)
class Kept:
    """What a system keeps of a run: numbers and parameters by subject, and the texts of files."""

    metrics: dict[str, dict[str, float]]  # by the key of the subject
    parameters: dict[str, dict[str, str]]  # by the key of the subject
    tags: dict[str, str]
    files: dict[str, str]


def small(folder: Path, *, id: str = "20261116-one", rows: str = ROWS) -> SentRun:  # noqa: A002  # of the run
    """Return a run of two models and two cases as a sink gets it."""
    path = folder / f"{id}.csv"
    path.write_text(rows, encoding="utf-8")
    report = score_files(path)
    manifest = Manifest(
        id=id,
        created_at="2026-11-16T00:00:00Z",
        generator="a test",
        scoring=describe_rule(Accuracy()),
        subjects=(Subject(model="lab/a", parameters={"temperature": "0.7"}), Subject(model="lab/b")),
        cases=(),
        eval_set="small",
    )
    return sent_run(report, manifest, name=id)


class SinkSuite:
    """The promises of a sink."""

    def sink(self) -> Sink:
        """Return a new sink; the folder of the test is the current one."""
        raise NotImplementedError

    def kept(self, run: SentRun) -> list[Kept]:
        """Return everything that the system keeps under the key of a run: one record, if all is well."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _in_a_folder_of_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_all_numbers_parameters_tags_and_files_are_kept(self, tmp_path: Path) -> None:
        run = small(tmp_path)

        self.sink().send(run)

        (kept,) = self.kept(run)
        assert kept.metrics == {one.key: one.metrics for one in run.subjects}
        assert kept.files == run.files
        assert run.tags.items() <= kept.tags.items()
        assert all(one.parameters.items() <= kept.parameters[one.key].items() for one in run.subjects)

    def test_a_run_that_is_sent_again_by_another_process_is_replaced(self, tmp_path: Path) -> None:
        self.sink().send(small(tmp_path))
        again = small(tmp_path, rows=ROWS.replace("c2,0,0", "c2,0,1"))

        self.sink().send(again)

        (kept,) = self.kept(again)
        assert kept.metrics[again.subjects[0].key]["passed"] == 2
        assert kept.files == again.files

    def test_tags_may_change_from_one_report_to_the_next(self, tmp_path: Path) -> None:
        run = small(tmp_path)
        self.sink().send(run)
        other = replace(run, tags={**run.tags, "scoring": "another"})

        self.sink().send(other)

        (kept,) = self.kept(other)
        assert kept.tags["scoring"] == "another"

    def test_two_runs_are_kept_apart(self, tmp_path: Path) -> None:
        first, second = small(tmp_path), small(tmp_path, id="20261116-two", rows=ROWS.replace(",1\n", ",0\n"))
        sink = self.sink()

        sink.send(first)
        sink.send(second)

        (kept,) = self.kept(first)
        assert kept.metrics == {one.key: one.metrics for one in first.subjects}

    def test_names_may_hold_anything(self, tmp_path: Path) -> None:
        run = small(tmp_path)
        subjects = tuple(
            replace(one, model=ODD + one.model, parameters={**one.parameters, "model": ODD + one.model})
            for one in run.subjects
        )
        odd = replace(
            run, name=ODD, parameters={**run.parameters, "eval_set": ODD[:LONGEST_SHOWN]}, subjects=subjects
        )

        self.sink().send(odd)

        (kept,) = self.kept(odd)
        assert kept.metrics == {one.key: one.metrics for one in run.subjects}

    def test_a_run_without_numbers_is_kept(self, tmp_path: Path) -> None:
        run = small(tmp_path)
        bare = replace(run, subjects=tuple(replace(one, metrics={}) for one in run.subjects))

        self.sink().send(bare)

        (kept,) = self.kept(bare)
        assert set(kept.parameters) == {one.key for one in run.subjects}

    def test_it_prints_nothing_and_says_in_one_line_where_the_run_is(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        place = self.sink().send(small(tmp_path))

        assert capsys.readouterr().out == ""
        assert place
        assert "\n" not in place
