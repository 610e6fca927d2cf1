# --- prompt
# `make_setter(name, value)` returns source code that assigns the value to the name.
# --- right
def make_setter(name, value):
    return f"{name} = {value!r}"
# --- wrong
def make_setter(name, value):
    return f"{name} = {value}"
# --- tests
from solution import make_setter


def test_code_runs():
    namespace = {}
    exec(make_setter("answer", "forty-two"), namespace)
    assert namespace["answer"] == "forty-two"
