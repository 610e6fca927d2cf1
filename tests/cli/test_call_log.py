"""A log of calls, on a disk that may fill up."""

from pathlib import Path

import pytest

from steelyard.cli.progress import call_log
from steelyard.model.call import CallRecord

FULL = Path("/dev/full")  # takes nothing, as a full disk


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_said_when_a_line_does_not_fit_and_not_once_more_at_the_end() -> None:
    call = CallRecord(
        at="now", provider="p", model="m", tier="T0", suite="s", case="c", attempt=0, number=1, ended="ok"
    )

    with call_log(FULL) as write, pytest.raises(OSError, match="No space left"):
        write(call)
