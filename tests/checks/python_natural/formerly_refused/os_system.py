# --- prompt
# `touch_command(path)` returns a shell command that creates a file, with the path quoted.
# --- right
import shlex


def touch_command(path):
    return f"touch {shlex.quote(str(path))}"
# --- wrong
import shlex


def touch_command(path):
    return f"touch {path}"
# --- tests
import os

from solution import touch_command


def test_command(tmp_path):
    path = tmp_path / "two words.txt"
    assert os.system(touch_command(path)) == 0
    assert [p.name for p in tmp_path.iterdir()] == ["two words.txt"]
