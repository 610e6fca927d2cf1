# --- prompt
# `main()` prints the sum of the integers in `sys.argv[1:]` and returns it.
# --- right
import sys


def main():
    total = sum(int(text) for text in sys.argv[1:])
    print(total)
    return total
# --- wrong
import sys


def main():
    total = sum(int(text) for text in sys.argv[2:])
    print(total)
    return total
# --- tests
import sys

from solution import main


def test_main(capsys):
    before = sys.argv
    sys.argv = ["prog", "3", "4"]
    try:
        assert main() == 7
    finally:
        sys.argv = before
    assert capsys.readouterr().out == "7\n"
