"""A run that is exported for another tool and imported again has the same counts."""

import json
from pathlib import Path

import pytest

from steelyard.app.export import export_log
from steelyard.app.import_ import import_files
from steelyard.app.log_files import found_logs, read_logs
from steelyard.cli.main import main
from steelyard.errors import UnknownName
from steelyard.logs.writers.evalplus import EvalPlusWriter
from steelyard.logs.writers.swe_bench import SweBenchWriter
from steelyard.model.log import Exported, ExportedRun, LogOptions, LogRow
from steelyard.model.options import RuleChoice
from steelyard.plugins import EXPORTERS
from steelyard.store.run.log_export import exported_run
from tests.logs import small_logs as small


def run_of(folder: Path) -> Path:
    """Return an imported run of two cases with two answers each; one of them ended in an error."""
    broken = small.inspect_sample("mul", 0, passed=True, scores=None, error={"message": "503"})
    path = small.inspect_eval(folder, {"samples/mul_epoch_1.json": broken})
    import_files(path, folder / "run")
    return folder / "run"


def counts(rows: tuple[LogRow, ...]) -> list[tuple[object, ...]]:
    return sorted((row.model, row.case, row.attempt, str(row.passed)) for row in rows)


def exported(to: str, folder: Path) -> tuple[tuple[LogRow, ...], Exported]:
    run = run_of(folder)
    return exported_run(run).rows, export_log(run, folder / "out", to=to)


def again(*paths: str | Path, model: str | None = None) -> tuple[LogRow, ...]:
    (log,) = read_logs(found_logs(paths), LogOptions(model=model))
    return log.rows


def test_inspect_gives_back_every_row_with_its_texts(tmp_path: Path) -> None:
    rows, written = exported("inspect", tmp_path)

    found = again(*written.files)

    assert counts(found) == counts(rows)
    assert [(row.prompt, row.answer or None, row.tokens_in, row.cost_usd) for row in found] == [
        (row.prompt, row.answer, row.tokens_in, row.cost_usd) for row in rows
    ]


def test_inspect_gives_back_two_tiers_two_suites_scores_and_costs_of_a_run(tmp_path: Path) -> None:
    lines = ["case,model,tier,suite,attempt,passed,score,cost_usd"]
    places = [
        (tier, suite, attempt) for tier in ("T0", "T1") for suite in ("easy", "hard") for attempt in (0, 1)
    ]
    lines += [
        f"sum,m,{tier},{suite},{attempt},0,0.{at}5,0.0{at}"
        for at, (tier, suite, attempt) in enumerate(places)
    ]
    (tmp_path / "given.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    import_files(tmp_path / "given.csv", tmp_path / "run", rule=RuleChoice(name="given"))
    rows, written = exported_run(tmp_path / "run").rows, export_log(tmp_path / "run", tmp_path, to="inspect")

    import_files(written.files, tmp_path / "again")

    assert exported_run(tmp_path / "again").rows == rows
    assert [(row.score, row.cost_usd) for row in rows][:2] == [(0.05, 0.0), (0.15, 0.01)]
    assert (len(written.files), written.left_out) == (4, ())


def test_evalplus_gives_back_every_graded_row_and_says_what_it_has_no_place_for(tmp_path: Path) -> None:
    rows, written = exported("evalplus", tmp_path)

    found = again(*written.files, model="mock/model")

    assert counts(found) == counts(tuple(row for row in rows if row.passed is not None))
    assert [(one.what, one.count) for one in written.left_out][:2] == [("answers", 1), ("prompts", 4)]


def test_swe_bench_gives_back_the_first_answer_to_each_instance(tmp_path: Path) -> None:
    rows, written = exported("swe-bench", tmp_path)

    found = again(*written.files)

    assert counts(found) == counts(tuple(row for row in rows if row.attempt == 0))
    assert [(one.what, one.count) for one in written.left_out][:2] == [("answers", 2), ("prompts", 3)]


def test_every_eval_ever_gives_back_every_row(tmp_path: Path) -> None:
    rows, written = exported("every-eval-ever", tmp_path)
    lines, aggregate = written.files

    assert counts(again(lines)) == counts(rows)
    score = json.loads(Path(aggregate).read_text(encoding="utf-8"))["evaluation_results"][0]["score_details"]
    assert score["score"] == pytest.approx(0.75)


def test_a_data_set_is_an_outcome_file_with_the_same_counts(tmp_path: Path) -> None:
    rows, written = exported("hf-dataset", tmp_path)

    import_files(written.files[0], tmp_path / "again")

    assert counts(exported_run(tmp_path / "again").rows) == counts(rows)
    assert "path: data/answers.jsonl" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")


def test_an_unknown_tool_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"'inspct'.*'inspect'"):
        export_log(run_of(tmp_path), tmp_path / "out", to="inspct")


@pytest.mark.parametrize("to", EXPORTERS)
def test_the_command_names_the_files(to: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(tmp_path)

    code = main(["export", str(run), "--to", to, "-o", str(tmp_path / "out")])

    files = capsys.readouterr().out.splitlines()
    assert code == 0
    assert files
    assert all(Path(file).is_file() for file in files)


@pytest.mark.parametrize("to", EXPORTERS)
def test_names_of_models_lead_out_of_no_folder(to: str, tmp_path: Path) -> None:
    header = small.inspect_header()
    header["eval"] = {**header["eval"], "model": "../../evil\n/m", "task": "../t"}
    path = small.write_json(
        tmp_path / "in" / "log.json", {**header, "samples": [small.inspect_sample("../x", 0, passed=True)]}
    )
    import_files(path, tmp_path / "in" / "run")

    written = export_log(tmp_path / "in" / "run", tmp_path / "in" / "out", to=to)

    assert all(Path(file).resolve().is_relative_to(tmp_path / "in" / "out") for file in written.files)


def rows(*subjects: tuple[str, str], suites: tuple[str, ...] = ("s",)) -> ExportedRun:
    made = [
        LogRow(model=model, tier=tier, suite=suite, case="sum", attempt=0, passed=True, answer=model)
        for model, tier in sorted(subjects)
        for suite in suites
    ]
    return ExportedRun(id="r", created_at="2026-11-15T09:30:00Z", generator="g", rows=tuple(made))


@pytest.mark.parametrize("writer", [EvalPlusWriter(), SweBenchWriter()])
def test_two_models_whose_names_look_alike_in_a_file_have_a_file_each(
    writer: EvalPlusWriter | SweBenchWriter, tmp_path: Path
) -> None:
    found = writer.write(rows(("acme/one", "T0"), ("acme_one", "T0"), ("ähm", "T0"), ("öhm", "T0")), tmp_path)

    assert len({*found.files}) == len(found.files) == len(list(tmp_path.iterdir()))


def test_cases_of_one_name_in_two_suites_are_two_tasks_of_evalplus(tmp_path: Path) -> None:
    [file] = EvalPlusWriter().write(rows(("m", "T0"), suites=("easy", "hard")), tmp_path).files

    assert sorted(json.loads(Path(file).read_text(encoding="utf-8"))["eval"]) == ["easy/sum", "hard/sum"]
