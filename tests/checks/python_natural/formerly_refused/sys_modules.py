# --- prompt
# `load_lazily(name)` returns a function that imports a module at its first call.
# --- right
import importlib


def load_lazily(name):
    return lambda: importlib.import_module(name)
# --- wrong
import importlib


def load_lazily(name):
    module = importlib.import_module(name)
    return lambda: module
# --- tests
import sys

from solution import load_lazily


def test_lazy():
    sys.modules.pop("colorsys", None)
    load = load_lazily("colorsys")
    assert "colorsys" not in sys.modules
    assert load() is sys.modules["colorsys"]
