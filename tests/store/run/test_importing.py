"""Outcomes from files become a run that reports what the files would."""

import json
from pathlib import Path

import pytest

from steelyard.app.report import report_run
from steelyard.app.score import score_files
from steelyard.errors import InputError
from steelyard.model.options import Duplicates, RuleChoice
from steelyard.render.json import JsonRenderer
from steelyard.store.database import connect
from steelyard.store.run import importing
from steelyard.store.run.importing import import_files
from steelyard.store.run.run_store import is_run, open_run
from tests.commands import written
from tests.repo.package import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
FILES = ["rust-basics/current.csv", "behaviour/results.jsonl", "tiers/outcomes.csv"]


def attempts_of(run: Path) -> list[int]:
    """Return the attempt numbers of a run, in the order of its rows."""
    (file,) = open_run(run).outcomes.files()
    with connect() as connection:
        sql = "SELECT attempt FROM read_parquet(?) ORDER BY case_id, attempt"
        return [attempt for (attempt,) in connection.execute(sql, [file.uri]).fetchall()]


WITHOUT_ATTEMPTS = "behaviour/results.jsonl"  # where samples are told apart only once they are imported


@pytest.mark.parametrize("name", FILES)
def test_an_imported_run_reports_what_its_files_would(name: str, tmp_path: Path) -> None:
    import_files(EXAMPLES / name, tmp_path / "run")

    reports = [score_files(EXAMPLES / name), report_run(tmp_path / "run")]

    of_files, of_run = (json.loads(JsonRenderer().render(report)) for report in reports)
    of_run["settings"] |= {"expected_from": of_files["settings"]["expected_from"]}
    if name == WITHOUT_ATTEMPTS:
        for subject in of_run["subjects"]:
            subject["runs"] = None
    assert of_run == of_files


def test_the_manifest_says_what_was_imported_with_what_and_names_nobody(tmp_path: Path) -> None:
    found = import_files(EXAMPLES / FILES[0], tmp_path / "run", rule=RuleChoice(weights={"lint": 0}))

    manifest = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert (found.outcomes, found.duplicates) == (60, 0)
    assert manifest["schema"] == "steelyard.run/1"
    assert manifest["scoring"]["parameters"]["weights.lint"] == "0"
    assert [subject["model"] for subject in manifest["subjects"]] == ["anthropic/sonnet-4", "openai/gpt-4o"]
    assert len(manifest["cases"]) == 6
    assert set(manifest["tools"]) == {"python", "steelyard", "deltalake", "duckdb"}
    assert set(manifest["host"]) == {"os", "machine", "cpus"}
    assert manifest["id"].startswith(manifest["created_at"][:10].replace("-", ""))


@pytest.mark.parametrize(
    ("attempts", "numbers"),
    [
        ("3 7 5", [3, 5, 7]),
        ("first second third", [0, 1, 2]),
        ("0 1 99999999999", [0, 1, 2]),
        ("2 b 1", [0, 1, 2]),
    ],
)
def test_attempts_keep_their_numbers_or_get_some(attempts: str, numbers: list[int], tmp_path: Path) -> None:
    rows = "".join(f"a,{attempt},true\n" for attempt in attempts.split())

    import_files(written(tmp_path, f"case,attempt,passed\n{rows}"), tmp_path / "run")

    assert attempts_of(tmp_path / "run") == numbers


def test_rows_without_attempts_are_numbered(tmp_path: Path) -> None:
    import_files(written(tmp_path, "case,passed\na,true\na,false\nb,true\n"), tmp_path / "run")

    assert attempts_of(tmp_path / "run") == [0, 1, 0]


def test_duplicates_are_left_out_and_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "case,attempt,passed\na,0,true\na,0,true\na,1,true\na,1,false\n")

    with pytest.raises(InputError, match="`duplicates=first`"):
        import_files(path, tmp_path / "run")
    found = import_files(path, tmp_path / "run", duplicates=Duplicates.FIRST)

    assert (found.outcomes, found.duplicates) == (2, 2)


def test_a_case_with_two_digests_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,digest,passed\nm,a,1,true\nn,a,2,true\n")

    with pytest.raises(InputError, match="case 'a' has two digests"):
        import_files(path, tmp_path / "run")


def test_a_run_is_never_imported_over(tmp_path: Path) -> None:
    import_files(EXAMPLES / FILES[0], tmp_path / "run")

    with pytest.raises(InputError, match=r"there is a run here already; name another one: `run=ADDRESS`$"):
        import_files(EXAMPLES / FILES[1], tmp_path / "run")


def test_an_import_that_was_stopped_leaves_no_run_and_can_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(importing, "write_manifest", stop)
        with pytest.raises(KeyboardInterrupt):
            import_files(EXAMPLES / FILES[1], tmp_path / "run")

    assert not is_run(tmp_path / "run")
    assert import_files(EXAMPLES / FILES[0], tmp_path / "run").outcomes == 60
    assert len(attempts_of(tmp_path / "run")) == 60
