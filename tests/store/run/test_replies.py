"""What judges replied is kept beside the run, and comes back as it was."""

import json
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.model.request import Reply, Usage
from steelyard.model.sample import SampleKey
from steelyard.sources.answers.read import read_answers
from steelyard.store.run.location import Folder
from steelyard.store.run.replies import FOLDER, ReplyFiles

KEYS = [SampleKey("wise/judge", "judge", "s", "c", "d" * 32, number) for number in range(3)]
FULL = Reply(
    text='{"seal": "…"}',
    finish_reason="stop",
    usage=Usage(tokens_in=9, tokens_out=3, tokens_cached=1, tokens_cache_written=2, tokens_reasoning=1),
    cost_nano_usd=70,
    first_byte_us=5,
    latency_us=8,
    request_id="r1",
    fence="f" * 48,
)
BARE = Reply(text="no JSON")


def test_replies_come_back_as_they_were(tmp_path: Path) -> None:
    files = ReplyFiles(Folder(tmp_path))
    files.add([(KEYS[0], FULL)])
    files.add([(KEYS[1], BARE), (KEYS[2], FULL)])

    assert ReplyFiles(Folder(tmp_path)).read() == {KEYS[0]: FULL, KEYS[1]: BARE, KEYS[2]: FULL}


def test_a_run_without_judges_has_none_and_no_folder_for_them(tmp_path: Path) -> None:
    files = ReplyFiles(Folder(tmp_path))
    files.tidy()

    assert files.read() == {}
    assert list(tmp_path.iterdir()) == []


def test_a_tidy_run_has_one_file_and_can_take_more(tmp_path: Path) -> None:
    files = ReplyFiles(Folder(tmp_path))
    for key in KEYS[:2]:
        files.add([(key, FULL)])

    files.tidy()
    files.add([(KEYS[2], BARE)])

    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["000002.jsonl", "000003.jsonl"]
    assert list(files.read()) == KEYS


def test_the_files_can_be_replayed(tmp_path: Path) -> None:
    ReplyFiles(Folder(tmp_path)).add([(KEYS[0], FULL)])

    assert read_answers(tmp_path / FOLDER / "000000.jsonl").find(KEYS[0]) == FULL


@pytest.mark.parametrize(
    "line", ["no JSON", json.dumps({"text": "x"}), json.dumps({**KEYS[0]._asdict(), "x": 1})]
)
def test_a_damaged_file_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "000000.jsonl").write_text(line, encoding="utf-8")

    with pytest.raises(StoreError, match=r"000000.jsonl.*file"):
        ReplyFiles(Folder(tmp_path)).read()
