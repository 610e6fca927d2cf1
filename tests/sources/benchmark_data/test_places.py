"""Files of a benchmark are found in a user's folder, and known again by their digest."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.benchmark import BenchmarkFile
from steelyard.sources.benchmark_data.places import fetched_files, local_files
from tests.app.benchmarks.small import TASKS, SmallData, small_benchmark

SMALL = small_benchmark()


@pytest.mark.parametrize("below", ["", "small", "a/b"])
def test_a_file_is_found_in_a_folder_and_below_it(below: str, tmp_path: Path) -> None:
    path = TASKS.write(tmp_path / below)

    (found,) = local_files(SMALL, "", tmp_path)

    assert (found.path, found.is_pinned) == (path, True)


def test_a_file_may_have_any_name_if_it_is_named_itself(tmp_path: Path) -> None:
    path = SmallData(text="{}\n").write(tmp_path, "mine.jsonl")

    (found,) = local_files(SMALL, "", path)

    assert (found.path, found.is_pinned) == (path, False)


def test_a_name_with_a_star_is_no_pattern(tmp_path: Path) -> None:
    odd = replace(SMALL, files=(BenchmarkFile(path="C[*].jsonl"),))
    path = TASKS.write(tmp_path, "C[*].jsonl")
    TASKS.write(tmp_path, "C*.jsonl")

    assert [found.path for found in local_files(odd, "", tmp_path)] == [path]


def test_a_folder_without_the_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tasks\.jsonl"):
        local_files(SMALL, "", tmp_path)
    with pytest.raises(InputError, match=r"file.*folder"):
        local_files(SMALL, "", tmp_path / "nowhere")


def test_a_part_has_its_own_files(tmp_path: Path) -> None:
    both = replace(
        SMALL, files=(BenchmarkFile(path="a.jsonl", part="go"), BenchmarkFile(path="b.jsonl", part="rust"))
    )
    for name in ("a.jsonl", "b.jsonl"):
        TASKS.write(tmp_path, name)

    assert [found.path.name for found in local_files(both, "rust", tmp_path)] == ["b.jsonl"]
    assert len(local_files(both, "", tmp_path)) == 2
    with pytest.raises(InputError, match="small/go, small/rust"):
        local_files(both, "perl", tmp_path)


def test_what_was_fetched_and_changed_since_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert fetched_files(SMALL, "") is None
    path = TASKS.write(tmp_path / "steelyard" / "benchmarks" / "small" / "abc")
    assert [found.path for found in fetched_files(SMALL, "") or ()] == [path]

    path.write_text("{}\n", encoding="utf-8")

    with pytest.raises(InputError, match="fetch it again"):
        fetched_files(SMALL, "")
