# --- prompt
# `safe_names()` returns the sorted builtins that do not run code (no eval, exec, compile).
# --- right
import builtins


def safe_names():
    return sorted(name for name in dir(builtins) if name not in {"eval", "exec", "compile"})
# --- wrong
import builtins


def safe_names():
    return sorted(name for name in dir(builtins) if name not in {"eval", "exec"})
# --- tests
import builtins

from solution import safe_names


def test_names():
    names = safe_names()
    assert names == sorted(names)
    assert set(dir(builtins)) - set(names) == {"eval", "exec", "compile"}
    assert builtins.eval("1 + 1") == 2
