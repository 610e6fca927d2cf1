"""Logs of other tools become runs: what was left out is kept, and what they do not say is not made up."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from steelyard.app.import_ import import_files
from steelyard.app.log_files import FoundLog, file_digests
from steelyard.app.report import report_run
from steelyard.app.score import score_files
from steelyard.cli.main import main
from steelyard.errors import InputError, UserError
from steelyard.model.options import ColumnMapping, Errors, ReportOptions, RuleChoice
from steelyard.store.run.excerpts import excerpts_of_run
from steelyard.store.run.export import export_run
from steelyard.store.run.location import location_of
from steelyard.store.run.stored_set import read_stored_set
from tests.logs import small_logs as small

BROKEN = {"exception_type": "RuntimeError", "exception_message": "503"}


def harbor_with_an_exception(folder: Path) -> Path:
    job = small.harbor(folder)
    trial = small.harbor_trial("add", 0, passed=False, exception_info=BROKEN, verifier_result=None)
    small.write_json(job / "add__0" / "result.json", trial)
    return job


def test_the_manifest_names_the_tool_the_files_and_what_was_left_out(tmp_path: Path) -> None:
    path = small.lm_eval(tmp_path)

    import_files(path, tmp_path / "run")

    manifest = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    source = manifest["imported"]
    why = "the log does not identify the passed repeats"
    assert source["tool"] == "lm-evaluation-harness"
    assert source["files"] == {path.name: sha256(path.read_bytes()).hexdigest()}
    assert source["left_out"] == [{"what": "answers", "why": why, "count": 2}]
    assert source["attempts_known"] is False
    assert manifest["names_refusals"] is False


def test_the_command_says_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["import", str(small.lm_eval(tmp_path)), "--run", str(tmp_path / "run")])

    out, err = capsys.readouterr()
    assert code == 0
    assert "made by lm-evaluation-harness" in out
    assert err == "left out: answers 2 (the log does not identify the passed repeats)\n"


def test_rounds_are_reported_only_if_the_log_says_which_repeat_passed(tmp_path: Path) -> None:
    import_files(small.lm_eval(tmp_path), tmp_path / "unknown")
    import_files(small.inspect_json(tmp_path), tmp_path / "known")

    (unknown,), (known,) = (report_run(tmp_path / name).subjects for name in ("unknown", "known"))

    assert unknown.runs is None
    assert known.runs is not None


def test_prompts_answers_and_outputs_can_be_looked_at(tmp_path: Path) -> None:
    import_files(small.inspect_json(tmp_path), tmp_path / "run")

    cases = read_stored_set(location_of(tmp_path / "run")).cases
    shown = excerpts_of_run(tmp_path / "run")
    assert {case.id: case.prompt for case in cases} == {"add": "Write add.", "sub": "Write sub."}
    assert {(one.text, one.detail) for one in shown} == {("def add(): ...", "ran"), ("def sub(): ...", "ran")}


def test_an_exception_of_harbor_is_left_out_and_counts_as_zero_only_if_errors_fail(tmp_path: Path) -> None:
    import_files(harbor_with_an_exception(tmp_path), tmp_path / "run")

    rates = [
        report_run(tmp_path / "run", options=ReportOptions(errors=policy))
        .subjects[0]
        .pass_at_k[0]
        .estimate.value
        for policy in (Errors.EXCLUDE, Errors.FAIL)
    ]

    assert rates == [0.75, 0.5]  # of the cases 1/1 and 1/2; with the zero 1/2 and 1/2


def test_an_imported_run_is_not_checked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_files(small.inspect_json(tmp_path), tmp_path / "run")

    code = main(["regrade", str(tmp_path / "run"), "--all"])

    assert code == 2
    assert "another tool" in capsys.readouterr().err


def test_an_answer_that_is_in_two_logs_is_refused(tmp_path: Path) -> None:
    paths = [small.inspect_json(tmp_path), small.inspect_eval(tmp_path)]

    with pytest.raises(InputError, match="import"):
        import_files(paths, tmp_path / "run")


def test_a_log_and_an_outcome_file_are_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_text("case,passed\na,true\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"outcomes\.csv.*log"):
        import_files([small.inspect_json(tmp_path), tmp_path / "outcomes.csv"], tmp_path / "run")


def test_options_of_outcome_files_are_refused_for_logs_and_the_other_way_round(tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_text("case,passed\na,true\n", encoding="utf-8")

    with pytest.raises(UserError, match="remove `scoring`"):
        import_files(small.inspect_json(tmp_path), tmp_path / "run", rule=RuleChoice(name="accuracy"))
    with pytest.raises(UserError, match="`map`"):
        import_files(
            small.inspect_json(tmp_path), tmp_path / "run", naming=ColumnMapping(columns={"case": "x"})
        )
    with pytest.raises(UserError, match="`pass_score`"):
        import_files(small.inspect_json(tmp_path), tmp_path / "run", rule=RuleChoice(pass_score=2))
    with pytest.raises(UserError, match="`scorer`"):
        import_files(tmp_path / "outcomes.csv", tmp_path / "run", scorer="verify")


def test_two_logs_of_two_models_become_one_run(tmp_path: Path) -> None:
    first = small.inspect_json(tmp_path)
    whole = json.loads(first.read_text(encoding="utf-8"))
    whole["eval"]["model"] = "mock/other"

    found = import_files([first, small.write_json(tmp_path / "other.json", whole)], tmp_path / "run")

    assert [subject.model for subject in found.manifest.subjects] == ["mock/model", "mock/other"]
    assert (found.outcomes, len(found.manifest.cases)) == (8, 2)


def test_outcomes_that_never_said_how_samples_ended_do_not_say_it_after_an_export(tmp_path: Path) -> None:
    given, back = tmp_path / "given.csv", tmp_path / "back.csv"
    given.write_text("case,model,passed\na,m,1\nb,m,0\n", encoding="utf-8")
    import_files(given, tmp_path / "run")

    export_run(tmp_path / "run", back)

    refused = [[case.refused for case in score_files(path).cases] for path in (given, back)]
    assert refused == [[None, None], [None, None]]


def test_two_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "results.json" for folder in ("a", "b")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_text(str(number))

    digests = file_digests([FoundLog(reader="any", paths=tuple(paths))])

    assert list(digests) == ["results.json", "b/results.json"]
    assert len(set(digests.values())) == 2
