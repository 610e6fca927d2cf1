# --- prompt
# `find_module(name)` returns the first `NAME.py` on `sys.path` as a string, or None.
# --- right
import os
import sys


def find_module(name):
    for folder in sys.path:
        path = os.path.join(folder, name + ".py")
        if os.path.isfile(path):
            return path
    return None
# --- wrong
import os
import sys


def find_module(name):
    for folder in reversed(sys.path):
        path = os.path.join(folder, name + ".py")
        if os.path.isfile(path):
            return path
    return None
# --- tests
import sys

from solution import find_module


def test_first_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    for folder in ("b", "a"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "thing.py").touch()
        sys.path.insert(0, str(tmp_path / folder))
    assert find_module("thing") == str(tmp_path / "a" / "thing.py")
    assert find_module("nothing") is None
