"""An answer that several files hold counts once; runs that repeat each other by design are repeats."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.app.import_ import import_files
from steelyard.app.log_files import found_logs, read_logs
from steelyard.errors import InputError
from steelyard.model.log import Log, LogOptions
from tests.logs import small_logs as small

TWICE = "is in these logs twice; import each log as its own run"


def read(*paths: Path, model: str | None = None) -> Log:
    (log,) = read_logs(found_logs(paths), LogOptions(model=model))
    return log


def reformatted(path: Path) -> Path:
    """Return a copy of a log that says the same in other bytes."""
    text = path.read_text(encoding="utf-8")
    copy = path.with_name(f"other-{path.name}")
    said = f"{text}\n" if path.suffix == ".jsonl" else json.dumps(json.loads(text))
    copy.write_text(said, encoding="utf-8")
    return copy


def harbor_job(folder: Path, name: str) -> Path:
    """Return a job whose trials have the names that this job gave them."""
    job = small.harbor(folder).rename(folder / name)
    for case, number, passed in small.ANSWERS:
        trial = small.harbor_trial(case, number, passed, trial_name=f"{case}__{name}{number}")
        small.write_json(job / f"{case}__{number}" / "result.json", trial)
    return job


def terminal_bench_run(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    path = small.terminal_bench(folder / name)
    whole = json.loads(path.read_text(encoding="utf-8"))
    for number, trial in enumerate(whole["results"]):
        trial["id"] = f"{name}-{number}"
    return small.write_json(path, whole)


def repeats(log: Log) -> set[int]:
    """Return how many answers the cases have, after a look at their numbers."""
    counts = Counter(row.case for row in log.rows)
    for case, count in counts.items():
        assert sorted(row.attempt for row in log.rows if row.case == case) == list(range(count))
    return set(counts.values())


@pytest.mark.parametrize("write", [small.promptfoo_json, small.promptfoo_jsonl, small.every_eval_ever])
def test_the_same_answers_in_two_files_are_refused(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path)

    with pytest.raises(InputError, match=TWICE):
        read(path, reformatted(path))


@pytest.mark.parametrize("write", [small.deepeval, small.terminal_bench])
def test_the_same_answers_in_two_files_that_get_one_model_are_refused(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = write(tmp_path)

    with pytest.raises(InputError, match=TWICE):
        read(path, reformatted(path), model="m")


def test_one_evaluation_of_promptfoo_in_two_forms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=TWICE):
        read(small.promptfoo_json(tmp_path), small.promptfoo_jsonl(tmp_path))


def test_a_table_of_promptfoo_is_not_mixed_with_forms_that_hold_the_assertions(tmp_path: Path) -> None:
    paths = [small.promptfoo_json(tmp_path), small.promptfoo_csv(tmp_path)]

    with pytest.raises(InputError, match=r"output\.csv.*assertions"):
        read(*paths)


def test_two_models_of_promptfoo_in_two_files_are_imported_together(tmp_path: Path) -> None:
    other = [small.promptfoo_row(*answer, provider="mock/other") for answer in small.ANSWERS]
    paths = [small.promptfoo_jsonl(tmp_path), small.write_lines(tmp_path / "other.jsonl", other)]

    assert Counter(row.model for row in read(*paths).rows) == {"mock/model": 4, "mock/other": 4}


def test_trials_of_two_harbor_jobs_are_repeats_and_that_is_said(tmp_path: Path) -> None:
    log = read(harbor_job(tmp_path, "monday"), harbor_job(tmp_path, "tuesday"))

    assert repeats(log) == {4}
    assert [one.count for one in log.left_out if one.what == "names of jobs"] == [2]


def test_trials_of_two_terminal_bench_runs_of_one_model_are_repeats_and_that_is_said(tmp_path: Path) -> None:
    log = read(terminal_bench_run(tmp_path, "a"), terminal_bench_run(tmp_path, "b"), model="m")

    assert repeats(log) == {4}
    assert [one.count for one in log.left_out if one.what == "names of runs"] == [2]


def test_two_terminal_bench_runs_of_two_models_repeat_nothing(tmp_path: Path) -> None:
    log = read(terminal_bench_run(tmp_path, "a"), terminal_bench_run(tmp_path, "b"))

    assert {row.attempt for row in log.rows} == {0, 1}
    assert "names of runs" not in {one.what for one in log.left_out}


def test_a_copy_of_a_harbor_job_is_refused_by_the_names_of_its_trials(tmp_path: Path) -> None:
    job = harbor_job(tmp_path, "job")
    (tmp_path / "copies").mkdir()

    with pytest.raises(InputError, match=r"add__job0.*/job/add__0/result.json"):
        read(job, harbor_job(tmp_path / "copies", "job"))


@pytest.mark.parametrize("write", [small.promptfoo_json, small.deepeval, small.evalplus, small.inspect_eval])
def test_a_copy_of_a_file_is_refused(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path)
    copy = path.with_name(f"copy-{path.name}")
    copy.write_bytes(path.read_bytes())

    with pytest.raises(
        InputError, match=rf"copy-{path.name}: has the same content as .*; remove one of them"
    ):
        import_files([path, copy], tmp_path / "run")


def test_two_models_that_solve_the_same_instances_of_swe_bench_are_no_copies(tmp_path: Path) -> None:
    path = small.swe_bench(tmp_path)
    (tmp_path / "other__model.run.json").write_bytes(path.read_bytes())

    found = import_files([path, tmp_path / "other__model.run.json"], tmp_path / "run")

    assert [subject.model for subject in found.manifest.subjects] == ["mock/model", "other/model"]
