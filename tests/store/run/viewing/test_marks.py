"""Marks are added to a plain file only, and a line of that file that is no mark is left out."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.model.viewing import Mark
from steelyard.store.run.viewing.marks import add_mark, read_marks

MARK = Mark(key=1, attempt=0, label="wrong", note="minus", author="ada", at="2026-11-16T00:00:00Z")


def changed(**values: object) -> str:
    """Return the line of a mark in which some values are others."""
    return json.dumps({**asdict(MARK), **values})


def test_a_mark_comes_back_as_it_was_made(tmp_path: Path) -> None:
    add_mark(str(tmp_path), MARK)
    add_mark(str(tmp_path), MARK)

    assert list(read_marks(str(tmp_path))) == [MARK, MARK]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_mark_does_not_follow_a_link(tmp_path: Path, *, is_there: bool) -> None:
    other = tmp_path / "profile"
    if is_there:
        other.write_text("mine\n", encoding="utf-8")
    run = tmp_path / "run"
    run.mkdir()
    (run / "marks.jsonl").symlink_to(other)

    with pytest.raises(StoreError, match=r"plain.*file"):
        add_mark(str(run), MARK)

    assert (other.read_text(encoding="utf-8") == "mine\n") if is_there else not other.exists()


@pytest.mark.parametrize(
    "make", [lambda path, other: path.symlink_to(other), lambda path, _: os.mkfifo(path)]
)
def test_marks_are_read_from_a_plain_file_only(tmp_path: Path, make: Callable[[Path, Path], None]) -> None:
    other = tmp_path / "other"
    other.write_text(changed() + "\n", encoding="utf-8")
    run = tmp_path / "run"
    run.mkdir()
    make(run / "marks.jsonl", other)

    assert list(read_marks(str(run))) == []


def test_a_mark_does_not_wait_for_the_reader_of_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "marks.jsonl")

    with pytest.raises(StoreError, match=r"plain.*file"):
        add_mark(str(tmp_path), MARK)


def test_a_mark_is_not_written_to_a_pipe_that_has_a_reader(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "marks.jsonl")
    reader = os.open(tmp_path / "marks.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(StoreError, match=r"plain.*file"):
            add_mark(str(tmp_path), MARK)

        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    "line",
    [
        changed(label=5),
        changed(note=None),
        changed(author=["ada"]),
        changed(key="1"),
        changed(key=True),
        changed(key=2**63),
        changed(attempt=2**31),
        changed(attempt=-1),
        changed(attempt=0.5),
        changed(is_blind=1),
        changed(case="\ud800"),
        '{"key": 1, "attempt": 0}',
        "[1]",
        "5",
        "[" * 100_000,
        changed()[:40],
    ],
)
def test_a_line_that_is_no_mark_is_left_out(tmp_path: Path, line: str) -> None:
    (tmp_path / "marks.jsonl").write_text(f"{line}\n{changed(more='later')}\n", encoding="utf-8")

    assert list(read_marks(str(tmp_path))) == [MARK]
