# --- prompt
# `say(text)` runs `echo` with the text as one argument.
# --- right
import subprocess


def say(text):
    subprocess.run(["echo", text], check=True)
# --- wrong
import subprocess


def say(text):
    subprocess.run(["echo", *text.split()], check=True)
# --- tests
from solution import say


def test_output(capfd):
    say("two  words")
    assert capfd.readouterr().out == "two  words\n"
