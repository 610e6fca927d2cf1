"""What a check may leave behind is found, be it ours or an orphan."""

import os
import subprocess
from pathlib import Path

from tests.checks.leftovers import processes_with
from tests.patience import wait_until

MARK = "314159"


def wait_until_it_sleeps(pid: int) -> None:
    """Return when a process that was just started shows the command line of what it was started for."""
    wait_until(lambda: Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"sleep"))


def test_a_process_of_ours_that_stays_is_found() -> None:
    with subprocess.Popen(["sleep", MARK]) as stays:
        try:
            wait_until_it_sleeps(stays.pid)
            assert processes_with(MARK, patience=0) == [f"sleep {MARK} "]
        finally:
            stays.kill()


def test_an_orphan_that_nobody_waits_for_is_found() -> None:
    started = subprocess.run(
        ["sh", "-c", f"setsid sleep {MARK}1 >/dev/null 2>&1 & echo $!"],
        capture_output=True,
        text=True,
        check=True,
    )
    orphan = int(started.stdout)
    try:
        wait_until_it_sleeps(orphan)
        assert processes_with(f"{MARK}1", patience=0) == [f"sleep {MARK}1 "]
    finally:
        os.kill(orphan, 9)
