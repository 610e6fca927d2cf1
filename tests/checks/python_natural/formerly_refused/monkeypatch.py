# --- prompt
# `greeting()` greets the user named by `USER_NAME`, else `you`.
# --- right
import os


def greeting():
    return f"Hello, {os.environ.get('USER_NAME') or 'you'}!"
# --- wrong
import os


def greeting():
    return f"Hello, {os.environ.get('USER_NAME', 'you')}!"
# --- tests
from solution import greeting


def test_name(monkeypatch):
    monkeypatch.setenv("USER_NAME", "Ann")
    assert greeting() == "Hello, Ann!"


def test_nobody(monkeypatch):
    monkeypatch.setenv("USER_NAME", "")
    assert greeting() == "Hello, you!"
