"""Replies of judges are paid for: none is lost because a file could not be written for a moment."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from typing_extensions import override

from steelyard.errors import StoreError
from steelyard.model.request import Reply
from steelyard.model.sample import SampleKey
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.store.run.location import location_of
from steelyard.store.run.replies import Kept, ReplyFiles


class FullDisk(ReplyFiles):
    """Files that cannot be written so many times."""

    failures = 0

    @override
    def add(self, replies: Sequence[Kept]) -> None:
        """Fail, or write."""
        if self.failures:
            self.failures -= 1
            raise StoreError("the disk is full")
        super().add(replies)


def key(number: int) -> SampleKey:
    return SampleKey("judge/m", "T0", "s", "c", "d", number)


def kept(folder: Path, *, failures: int, between_s: float) -> None:
    """Keep two replies, one after the other, and close."""

    async def keeping() -> None:
        files = FullDisk(location_of(str(folder)))
        files.failures = failures
        replies = JudgeReplies(files)
        for number in range(2):
            replies.keep(key(number), Reply(text=str(number), cost_nano_usd=5))
            await asyncio.sleep(between_s)
        await replies.close()

    asyncio.run(keeping())


@pytest.mark.parametrize("between_s", [0.0, 0.3])
def test_what_could_not_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, between_s: float
) -> None:
    monkeypatch.setattr("steelyard.runner.judge.replies.WITHIN_S", 0.05)

    kept(tmp_path, failures=1, between_s=between_s)

    found = JudgeReplies(ReplyFiles(location_of(str(tmp_path))))
    assert [one and one.text for one in map(found.find, (key(0), key(1)))] == ["0", "1"]
    assert found.spend.cost_nano_usd == 10


def test_a_disk_that_stays_full_is_an_error_in_the_end(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"disk.*full"):
        kept(tmp_path, failures=9, between_s=0.0)
