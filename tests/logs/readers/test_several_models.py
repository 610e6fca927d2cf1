"""Logs of several models that are imported together stay apart, and a name keeps its dots."""

import json
from pathlib import Path

import pytest

from steelyard.app.log_files import found_logs, read_logs
from steelyard.errors import InputError
from steelyard.model.log import Log, LogOptions
from tests.logs import small_logs as small


def read(*paths: Path, options: LogOptions | None = None) -> Log:
    (log,) = read_logs(found_logs(paths), options or LogOptions())
    return log


def verdicts(log: Log) -> dict[str, dict[str, bool | None]]:
    found: dict[str, dict[str, bool | None]] = {}
    for row in log.rows:
        found.setdefault(row.model, {})[row.case] = row.passed
    return found


def swe_report(folder: Path, name: str, *resolved: str) -> Path:
    report = {"total_instances": 2, "resolved_ids": list(resolved), "unresolved_ids": ["i1", "i2"]}
    return small.write_json(folder / name, report)


def swe_instance(folder: Path, model: str, name: str, *, resolved: bool) -> None:
    path = folder / model / name / "report.json"
    path.parent.mkdir(parents=True)
    small.write_json(path, {name: {"resolved": resolved, "patch_exists": True}})


def test_reports_of_swe_bench_for_two_models_are_two_subjects(tmp_path: Path) -> None:
    one, other = swe_report(tmp_path, "a.run.json", "i1"), swe_report(tmp_path, "o__b.run.json", "i2")
    patch = {"instance_id": "i1", "model_name_or_path": "o/b", "model_patch": "+ b"}
    patches = small.write_lines(tmp_path / "predictions.jsonl", [patch])

    log = read(one, other, patches)

    assert verdicts(log) == {"a": {"i1": True, "i2": False}, "o/b": {"i1": False, "i2": True}}
    assert [row.model for row in log.rows if row.answer] == ["o/b"]
    with pytest.raises(InputError, match="models"):
        read(one, other, options=LogOptions(model="both"))


def test_two_reports_of_swe_bench_for_one_model_are_refused(tmp_path: Path) -> None:
    first, second = swe_report(tmp_path, "a.first.json", "i1"), swe_report(tmp_path, "a.second.json", "i2")

    with pytest.raises(InputError, match=r"another report of a also has i[12]; import one run at a time"):
        read(first, second)


def test_instances_of_swe_bench_belong_to_the_model_of_their_folder(tmp_path: Path) -> None:
    for name in ("i1", "i2"):
        swe_instance(tmp_path, "a", name, resolved=True)
        swe_instance(tmp_path, "b", name, resolved=False)

    assert verdicts(read(tmp_path)) == {"a": {"i1": True, "i2": True}, "b": {"i1": False, "i2": False}}


def test_an_empty_patch_without_a_report_is_a_failure_and_others_are_left_out(tmp_path: Path) -> None:
    swe_instance(tmp_path, "a", "i1", resolved=True)
    named = {"model_name_or_path": "my a"}
    lines = [
        {**named, "instance_id": "i1", "model_patch": "+ x"},
        {**named, "instance_id": "i2", "model_patch": ""},
        {**named, "instance_id": "i3", "model_patch": "+ y"},
    ]
    patches = small.write_lines(tmp_path / "predictions.jsonl", lines)

    log = read(tmp_path / "a", patches)

    assert verdicts(log) == {"my a": {"i1": True, "i2": False}}
    assert [(one.what, one.count) for one in log.left_out] == [("predictions", 1)]


def test_a_folder_and_a_file_name_a_model_with_its_dots(tmp_path: Path) -> None:
    for model in ("gpt-4.1", "gpt-4.5"):
        (tmp_path / model).mkdir()
        small.terminal_bench(tmp_path / model)
    trials = read(tmp_path / "gpt-4.1" / "results.json", tmp_path / "gpt-4.5" / "results.json")
    evalplus = small.evalplus(tmp_path)
    renamed = evalplus.rename(tmp_path / "Qwen2.5-7B_temp_0.0_eval_results.json")

    assert set(verdicts(trials)) == {"gpt-4.1", "gpt-4.5"}
    assert [one.count for one in trials.left_out] == [8]
    assert set(verdicts(read(renamed))) == {"Qwen2.5-7B_temp_0.0_eval_results"}


def test_an_evaluation_of_livecodebench_is_named_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "o3.mini").mkdir()
    path = small.livecodebench(tmp_path / "o3.mini")
    renamed = path.rename(path.with_name("Scenario.codegeneration_10_0.2_eval_all.json"))

    assert set(verdicts(read(renamed))) == {"o3.mini"}


def test_choices_of_lm_eval_are_one_answer_with_their_likelihoods(tmp_path: Path) -> None:
    pairs = [["-1.5", "True"], ["-2.5", "False"]]
    changes = {"resps": [[pair] for pair in pairs], "filtered_resps": pairs, "metrics": ["acc"], "acc": 1.0}
    rows = [small.lm_eval_document(number, case, **changes) for number, case in enumerate(small.PASSES)]
    path = small.write_lines(tmp_path / "samples_sums_2026-11-15T13-48-58.2.jsonl", rows)

    assert [(row.case, row.attempt, row.passed) for row in read(path).rows] == [
        ("add", 0, True),
        ("sub", 0, True),
    ]


def test_an_empty_file_of_lm_eval_is_left_out(tmp_path: Path) -> None:
    path = small.lm_eval(tmp_path)
    (tmp_path / "samples_none_2026-11-15T13-48-58.2.jsonl").touch()

    log = read(next(tmp_path.glob("results_*.json")))

    assert len(log.rows) == len(read(path).rows)
    assert ("files", 1) in [(one.what, one.count) for one in log.left_out]


def test_a_case_of_deepeval_without_the_chosen_metric_has_no_verdict(tmp_path: Path) -> None:
    case = {**small.deepeval_case("add", passed=True), "metricsData": None}
    path = small.write_json(tmp_path / "run.json", {"testCases": [case], "metricsScores": []})

    with pytest.raises(InputError, match=r"outcome.*1.*verdict"):
        read(path, options=LogOptions(scorer="Correctness"))


def test_instances_of_two_runs_of_swe_bench_are_not_mixed(tmp_path: Path) -> None:
    graded = {"patch_exists": True, "resolved": True}
    for run in ("monday", "tuesday"):
        folder = tmp_path / "logs" / "run_evaluation" / run / "m" / "i-1"
        folder.mkdir(parents=True)
        (folder / "report.json").write_text(json.dumps({"i-1": graded}), encoding="utf-8")

    with pytest.raises(InputError, match=r"report.*1"):
        read_logs(found_logs([tmp_path / "logs"]), LogOptions())
    (log,) = read_logs(found_logs([tmp_path / "logs" / "run_evaluation" / "monday"]), LogOptions())
    assert [(row.case, row.passed) for row in log.rows] == [("i-1", True)]
