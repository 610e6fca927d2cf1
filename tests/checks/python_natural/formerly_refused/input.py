# --- prompt
# `ask_number(prompt)` reads with `input` until it gets an integer.
# --- right
def ask_number(prompt):
    while True:
        try:
            return int(input(prompt))
        except ValueError:
            print("not a number")
# --- wrong
def ask_number(prompt):
    while True:
        try:
            return int(input(prompt))
        except ValueError:
            return 0
# --- tests
import io

from solution import ask_number


def test_asks_again(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n7\nrest\n"))
    assert ask_number("n? ") == 7
    assert input() == "rest"
    assert capsys.readouterr().out == "n? not a number\nn? "
