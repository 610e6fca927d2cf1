# --- prompt
# `pid_file(path)` writes the number of the own process and a newline, and returns the number.
# --- right
import os


def pid_file(path):
    with open(path, "w") as handle:
        print(os.getpid(), file=handle)
    return os.getpid()
# --- wrong
import os


def pid_file(path):
    with open(path, "w") as handle:
        print(os.getppid(), file=handle)
    return os.getpid()
# --- tests
import os as system

from solution import pid_file


def test_pid(tmp_path):
    assert pid_file(tmp_path / "x.pid") == system.getpid()
    assert int((tmp_path / "x.pid").read_text()) == system.getpid()
