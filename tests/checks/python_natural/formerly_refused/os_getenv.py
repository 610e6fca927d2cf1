# --- prompt
# `set_flag(name, on)` sets an environment variable to `1` or removes it.
# --- right
import os


def set_flag(name, on):
    if on:
        os.environ[name] = "1"
    else:
        os.environ.pop(name, None)
# --- wrong
import os


def set_flag(name, on):
    if on:
        os.environ[name] = "1"
    else:
        os.environ[name] = "0"
# --- tests
from os import getenv

from solution import set_flag


def test_flag():
    set_flag("FEATURE_X", True)
    assert getenv("FEATURE_X") == "1"
    set_flag("FEATURE_X", False)
    set_flag("FEATURE_X", False)
    assert getenv("FEATURE_X") is None
