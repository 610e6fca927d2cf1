"""What a check may leave behind is found, be it ours or an orphan."""

import os
import subprocess

from tests.checks.leftovers import processes_with

MARK = "314159"


def test_a_process_of_ours_that_stays_is_found() -> None:
    with subprocess.Popen(["sleep", MARK]) as stays:
        try:
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
    try:
        assert processes_with(f"{MARK}1", patience=0) == [f"sleep {MARK}1 "]
    finally:
        os.kill(int(started.stdout), 9)
