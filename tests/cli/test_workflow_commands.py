"""In a job of GitHub Actions no line that we print is taken for a command."""

import io
import os
import subprocess
import sys
from itertools import pairwise

import pytest

from steelyard.cli.workflow_commands import MARKS, _NeutralStream

LINES = ("::warning file=a::s0", "  ::error::pwn", "##[group]x", "\t##[error]y")


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_begins_with_a_mark_is_no_command_however_it_is_written(line: str) -> None:
    for cuts in ([], [1], [2], [1, 2, 3], [3]):
        stream = io.StringIO()
        neutral = _NeutralStream(stream)
        for start, end in pairwise([0, *cuts, len(line)]):
            neutral.write(line[start:end])
        neutral.write("\nnext")

        first, second = stream.getvalue().split("\n")
        assert not first.lstrip().startswith(MARKS)
        assert first.replace("\\", "") == line
        assert second == "next"


def test_other_lines_stay_as_they_are() -> None:
    stream = io.StringIO()
    _NeutralStream(stream).writelines(["a::b\n", "# heading\n", ":", " x", "\n", "[::1]\r\n"])

    assert stream.getvalue() == "a::b\n# heading\n: x\n[::1]\r\n"


@pytest.mark.parametrize("has_actions", [True, False])
def test_the_command_does_so_under_github_actions(*, has_actions: bool) -> None:
    env = {key: value for key, value in os.environ.items() if key != "GITHUB_ACTIONS"}
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "report", "x\n::error::pwn"],
        env=env | ({"GITHUB_ACTIONS": "true"} if has_actions else {}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert ("\n::error" in done.stderr) is not has_actions
