"""How the source of graded tests is read."""

import pytest

from steelyard.checks.toolchains.python.tests_source import Runner, read_source

BY_PYTEST = {
    "functions": ("def test_a(): pass\ndef test_b(): pass", ("test_a", "test_b")),
    "coroutines": ("async def test_a(): pass", ("test_a",)),
    "a class": (
        "class TestCart:\n    def test_a(self): pass\n    def helper(self): pass",
        ("TestCart.test_a",),
    ),
    "a class in a class": (
        "class TestA:\n  class TestB:\n    def test_c(self): pass",
        ("TestA.TestB.test_c",),
    ),
    "unittest": (
        "import unittest\nclass CartCase(unittest.TestCase):\n    def test_a(self): pass",
        ("CartCase.test_a",),
    ),
    "functions beside assertions": ("assert f(1) == 2\ndef test_a(): pass", ("test_a",)),
    "tests of a helper file": ("import unittest\nfrom helpers import *", ()),
}


@pytest.mark.parametrize("name", BY_PYTEST)
def test_functions_and_classes_of_tests_run_under_pytest(name: str) -> None:
    source, names = BY_PYTEST[name]

    tests = read_source(source)

    assert (tests.runner, tests.names) == (Runner.PYTEST, names)


SCRIPTS = {
    "assertions": ("assert f(1) == 2\nx = 3\nassert f(x) == 4", ("line 1", "line 3")),
    "an assertion in a loop": ("for x in (1, 2):\n    assert f(x) == x", ("line 1",)),
    "two assertions on a line": ("assert f(1) == 2; assert f(2) == 3", ("line 1",)),
    "calls of numpy.testing": ("np.testing.assert_allclose(f(1), 2)", ("line 1",)),
    "calls of a function": ("def main():\n    assert f(1) == 2\nmain()", ("script",)),
    "a main guard": ("def main():\n    assert f(1)\nif __name__ == '__main__':\n    main()", ("script",)),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_sources_without_test_functions_run_as_scripts(name: str) -> None:
    source, names = SCRIPTS[name]

    tests = read_source(source)

    assert (tests.runner, tests.names, tests.is_idle) == (Runner.SCRIPT, names, False)


def test_check_is_the_test_of_a_case_with_an_entry_point() -> None:
    source = "def check(candidate):\n    assert candidate(1) == 2"

    assert read_source(source, entry_point="f").names == ("check",)
    assert read_source(source).is_idle


IDLE = {
    "a function that nothing calls": "def check_small():\n    assert add(1, 2) == 3",
    "constants and imports": "import os\nEXPECTED = [1, 2]",
    "a docstring": "'>>> add(1, 2)'",
}


@pytest.mark.parametrize("name", IDLE)
def test_sources_that_call_nothing_are_idle(name: str) -> None:
    assert read_source(IDLE[name]).is_idle


def test_names_without_a_definition_are_found_and_imports_are_listed() -> None:
    tests = read_source(
        "from shop.cart import Cart\nimport math\ndef test_a(x=1):\n    assert total(Cart(), x, len(y))"
    )

    assert tests.undefined == {"total", "y"}
    assert tests.imported == {"shop", "math"}


@pytest.mark.parametrize("source", ["url = 'http://localhost:8000'", "from http.server import HTTPServer"])
def test_tests_with_a_server_need_loopback(source: str) -> None:
    assert read_source(source).needs_loopback


def test_sources_that_are_not_python_raise() -> None:
    with pytest.raises(SyntaxError):
        read_source("def test(")
