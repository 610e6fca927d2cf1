"""Finding the outcome files a user named."""

import os
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.store.files import FileFormat, file_format, input_files, models_of_files
from tests.commands import written


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.csv", FileFormat.CSV),
        ("a.tsv", FileFormat.TSV),
        ("a.jsonl", FileFormat.JSONL),
        ("a.ndjson", FileFormat.JSONL),
        ("a.parquet", FileFormat.PARQUET),
        ("a.pq", FileFormat.PARQUET),
        ("a.b.CSV", FileFormat.CSV),
        ("a.csv.gz", FileFormat.CSV),
        ("a.JSONL.GZ", FileFormat.JSONL),
    ],
)
def test_the_suffix_tells_the_format_through_gz(name: str, form: FileFormat) -> None:
    assert file_format(Path(name)) is form


@pytest.mark.parametrize("name", ["a", "a.txt", "a.gz", "a.csv.zip", ".csv", "a.xml", "a.csv.bak"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match="unknown"):
        file_format(Path(name))


def test_packed_parquet_is_refused() -> None:
    with pytest.raises(InputError, match="unpack"):
        file_format(Path("a.parquet.gz"))


def test_files_and_patterns_come_sorted_and_each_once(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "deep/c.csv", "d.txt"):
        written(tmp_path, "", name)

    found = input_files([tmp_path / "b.csv", f"{tmp_path}/*.csv", f"{tmp_path}/**/*.csv"])

    assert [file.path.name for file in found] == ["a.csv", "b.csv", "c.csv"]


def test_one_file_under_several_names_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "", "a.csv")
    (tmp_path / "b.csv").symlink_to(path)
    monkeypatch.chdir(tmp_path)

    found = input_files(["a.csv", "./a.csv", path, "b.csv"])

    assert len(found) == 1


def test_no_files_at_all_are_refused() -> None:
    with pytest.raises(InputError, match=r"outcome.*files"):
        input_files([])


def test_a_pattern_without_a_match_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pattern"):
        input_files([tmp_path / "*.csv"])


def test_a_pattern_that_matches_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()

    with pytest.raises(InputError, match=r"folder.*name"):
        input_files([tmp_path / "*.csv"])


def test_a_run_is_refused_with_the_command_that_reads_it(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")

    with pytest.raises(InputError, match=r"steelyard.*report"):
        input_files([tmp_path])


def test_a_link_to_nowhere_is_told_apart_from_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").symlink_to("gone.csv")

    with pytest.raises(InputError, match=r"a\.csv.*gone\.csv"):
        input_files([tmp_path / "a.csv"])
    with pytest.raises(InputError, match=r"b\.csv.*file"):
        input_files([tmp_path / "b.csv"])


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.csv")

    with pytest.raises(InputError, match="device"):
        input_files([tmp_path / "a.csv"])


@pytest.mark.parametrize("name", ["n" * 300 + "[.csv", "a\0[b.csv"])
def test_a_path_that_cannot_exist_is_a_pattern_at_most(name: str) -> None:
    with pytest.raises(InputError, match=r"no file matches this pattern|cannot be opened"):
        input_files([name])


def test_an_impossible_path_is_shortened_in_the_message() -> None:
    with pytest.raises(InputError, match=r"5004.*characters") as refusal:
        input_files(["n" * 5000 + ".csv"])

    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("gemini_fixes.csv", "gemini"),
        ("gemini_outcomes.csv", "gemini"),
        ("gemini_synthetic_fixes.csv", "gemini"),
        ("llm_fullfile_repair_results_gemini.csv", "gemini"),
        ("gemini_fixes.csv.gz", "gemini"),
        ("chatgpt4.1_fixes.csv", "chatgpt4.1"),
        ("gemini.csv", "gemini"),
        ("_fixes.csv", "_fixes"),
    ],
)
def test_a_single_file_names_its_model(name: str, model: str) -> None:
    assert models_of_files([Path(name)]) == {Path(name): model}


def test_two_files_of_one_name_keep_their_longer_ones() -> None:
    real, synthetic = Path("gemini_fixes.csv"), Path("gemini_synthetic_fixes.csv")

    assert models_of_files([real, synthetic]) == {real: "gemini", synthetic: "gemini_synthetic"}


def test_several_files_must_say_whose_they_are() -> None:
    with pytest.raises(InputError, match=r"part2\.csv.*model"):
        models_of_files([Path("gemini_fixes.csv"), Path("part2.csv")])


def test_where_each_file_is_a_model_any_names_are_told_apart() -> None:
    paths = [Path("part1.csv"), Path("gemini_fixes.csv"), Path("gemini_outcomes.csv")]

    assert list(models_of_files(paths, any_name=True).values()) == [
        "part1",
        "gemini_fixes",
        "gemini_outcomes",
    ]
