# --- prompt
# `read_numbers()` reads whitespace-separated integers from standard input; a line with `#` ends them.
# --- right
import sys


def read_numbers():
    numbers = []
    for line in sys.stdin:
        if line.startswith("#"):
            break
        numbers += map(int, line.split())
    return numbers
# --- wrong
import sys


def read_numbers():
    numbers = []
    for line in sys.stdin:
        if line.startswith("#"):
            continue
        numbers += map(int, line.split())
    return numbers
# --- tests
import io
import sys

from solution import read_numbers


def test_rest_stays(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 2\n3\n# end\n4\n"))
    assert read_numbers() == [1, 2, 3]
    assert sys.stdin.read() == "4\n"
