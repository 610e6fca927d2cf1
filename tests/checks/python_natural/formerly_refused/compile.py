# --- prompt
# `to_function(expression)` returns source of a function `f(x)` that returns the expression.
# --- right
def to_function(expression):
    return f"def f(x):\n    return {expression}\n"
# --- wrong
def to_function(expression):
    return f"def f(x):\n    {expression}\n"
# --- tests
from solution import to_function


def test_compiles():
    namespace = {}
    exec(compile(to_function("x * 2"), "generated", "exec"), namespace)
    assert namespace["f"](21) == 42
