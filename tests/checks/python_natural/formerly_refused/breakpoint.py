# --- prompt
# `debug(value)` calls `breakpoint()` if the value is negative and returns its absolute value.
# --- right
def debug(value):
    if value < 0:
        breakpoint()
    return abs(value)
# --- wrong
def debug(value):
    if value <= 0:
        breakpoint()
    return abs(value)
# --- tests
import sys

from solution import debug


def test_hook(monkeypatch):
    calls = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: calls.append("hit"))
    assert [debug(n) for n in (3, 0, -2)] == [3, 0, 2]
    breakpoint()
    assert calls == ["hit", "hit"]
