"""pytest runs graded tests from memory, and what an answer prints is kept within bounds."""

import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from steelyard.checks.python.grader_runtime.streams import KEPT, STDERR, STDOUT, Printed
from steelyard.model.outcome import Classification
from tests.checks.python.corpus import RIGHT, Planted
from tests.checks.python.grader_runtime.conftest import Graded

TESTS = """
import pytest

@pytest.fixture
def one():
    return 1

@pytest.mark.parametrize("b", [1, 2])
def test_it(one, b):
    assert add(one, b) == 2

def test_later():
    pytest.skip("later")

class TestMore:
    def test_error(self):
        with pytest.raises(TypeError):
            add(1, "x")
"""


def planted(tests: str) -> Planted:
    return Planted(name="pytest", answer=RIGHT, ends=frozenset({Classification.FAIL}), tests=tests)


@pytest.fixture(autouse=True)
def _place_for_pytest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # and put back afterwards
    (tmp_path / "graded_tests").touch()


def test_pytest_tells_about_every_test(graded: Graded) -> None:
    told = graded(planted(TESTS))

    assert {name: result.status for name, result in told.results.items()} == {
        "test_it[1]": "passed",
        "test_it[2]": "failed",
        "test_later": "ignored",
        "TestMore.test_error": "passed",
    }
    assert told.names == list(told.results)
    assert told.results["test_it[2]"].message.startswith("AssertionError: assert 3 == 2")
    assert told.results["test_it[1]"].asserted == 1


def test_what_asserts_outside_of_tests_is_one_test_under_pytest(graded: Graded) -> None:
    told = graded(
        planted("import pytest\nassert add(1, 2) == 3\nassert add(2, 2) == 4\ndef test_it(): add(1, 2)\n")
    )

    assert {name: (one.status, one.asserted) for name, one in told.results.items()} == {
        "module": ("passed", 2),
        "test_it": ("passed", 0),
    }


def test_what_asserts_outside_of_tests_is_a_test_for_each_line_without_pytest(graded: Graded) -> None:
    source = (
        "assert add(1, 2) == 3\nfor n in range(3):\n    assert add(n, 1) == n + 1\nassert add(1, 2) == 4\n"
    )
    told = graded(planted(source))

    assert {name: (one.status, one.asserted) for name, one in told.results.items()} == {
        "line 1": ("passed", 1),
        "line 2": ("passed", 3),
        "line 4": ("failed", 0),
    }


def test_set_ups_of_plain_classes_run_under_pytest(graded: Graded) -> None:
    source = (
        "class TestAdd:\n    def setup_method(self): self.sum = add(1, 2)\n"
        "    def test_it(self): assert self.sum == 3\n"
    )

    assert graded(planted(source)).results["TestAdd.test_it"].status == "passed"


@pytest.mark.parametrize("first", ["", "import pytest\n"], ids=["direct", "pytest"])
def test_what_was_refused_fails_a_test_that_catches_everything(first: str, graded: Graded) -> None:
    answer = "class Sum:\n    def __eq__(self, other): return True\ndef add(a, b): return Sum()\n"
    tests = (
        f"{first}def test_it():\n    try: assert add(1, 2) == 3\n    except BaseException: pass\n"
        "def test_after():\n    assert add\n"
    )
    told = graded(replace(planted(tests), answer=answer))

    assert told.results["test_it"].status == "failed"
    assert told.results["test_it"].message.startswith("NeedsShared: __eq__ between an object")
    assert told.results["test_after"].status == "passed"


@pytest.mark.parametrize("first", ["", "import pytest\n"], ids=["direct", "pytest"])
@pytest.mark.parametrize("how", ["assert n == 0", "raise AssertionError", "import pytest; pytest.fail('no')"])
def test_a_failure_in_a_function_of_the_tests_counts_though_the_answer_catches_it(
    first: str, how: str, graded: Graded
) -> None:
    answer = "def add(look):\n    try: look(1)\n    except BaseException: pass\n"
    tests = (
        f"{first}def look(n):\n    {how}\ndef test_it():\n    add(look)\n    assert True\n"
        "def test_after():\n    assert add\n"
    )
    told = graded(replace(planted(tests), answer=answer))

    assert [told.results[name].status for name in ("test_it", "test_after")] == ["failed", "passed"]


@pytest.mark.parametrize("kind", ["AssertionError", "ValueError", "SystemExit"])
def test_an_error_of_the_answer_does_not_undo_an_assertion_that_it_calls(kind: str, graded: Graded) -> None:
    answer = (
        f"class Point:\n    @property\n    def x(self): raise {kind}\n"
        f"def add(look):\n    try: look(Point())\n    except {kind}: pass\n"
    )
    tests = (
        "def test_it():\n    def look(point):\n        assert point.x == 5\n    add(look)\n    assert True\n"
    )

    assert graded(replace(planted(tests), answer=answer)).results["test_it"].status == "failed"


def test_an_exception_of_the_tests_passes_through_the_answer_as_it_is(graded: Graded) -> None:
    answer = "def add(act):\n    try: act()\n    except ValueError: raise\n    finally: print('seen')\n"
    tests = (
        "class Boom(ValueError):\n    code = 7\n"
        "def test_it():\n    boom = Boom('no')\n    def act(): raise boom\n"
        "    try: add(act)\n    except Boom as error: assert error is boom\n    else: assert False\n"
    )
    told = graded(replace(planted(tests), answer=answer)).results["test_it"]

    assert (told.status, told.asserted) == ("passed", 1), told.message


def test_a_stop_of_an_iteration_counts_only_for_next(graded: Graded) -> None:
    answer = "def add(n):\n    if n: raise StopIteration\n    return iter(())\n"
    tests = (
        "def test_next():\n    try: next(add(0))\n    except StopIteration: assert True\n"
        "def test_map():\n    assert list(map(add, [1, 2])) == []\n"
    )
    told = graded(replace(planted(tests), answer=answer)).results

    assert [told[name].status for name in ("test_next", "test_map")] == ["passed", "failed"]


def test_both_streams_arrive(graded: Graded) -> None:
    answer = "import sys\ndef add():\n    print('out')\n    print('err', file=sys.stderr)\n"
    tests = (
        "import contextlib, io\ndef test_it():\n    out, err = io.StringIO(), io.StringIO()\n"
        "    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err): add()\n"
        "    assert (out.getvalue(), err.getvalue()) == ('out\\n', 'err\\n')\n"
    )
    with patch.multiple(sys, stdout=STDOUT, stderr=STDERR):  # as in a process of its own
        told = graded(replace(planted(tests), answer=answer)).results["test_it"]

    assert told.status == "passed", told.message


@pytest.mark.parametrize("message", ["say(f())", "f'{f()}'"])
def test_the_message_of_an_assertion_is_kept_only_if_it_is_a_text(message: str, graded: Graded) -> None:
    answer = "class Odd:\n    def __str__(self): raise SystemExit\ndef f(): return Odd()\n"
    tests = (
        f"say = str\ndef test_it():\n    assert f is None, {message}\n"
        "def test_text():\n    assert f is None, 'no'\n"
    )
    told = graded(replace(planted(tests), answer=answer)).results

    assert told["test_it"].message.startswith("AssertionError [")
    assert told["test_text"].message.startswith("AssertionError: no [")


def test_pytest_says_so_when_it_cannot_go_on(graded: Graded) -> None:
    told = graded(planted("import pytest\nadd('a', 1)\ndef test_it(): pass\n"))

    assert told.setup_error.startswith("TypeError")
    assert told.results == {}


def test_pytest_says_so_when_there_is_nothing_to_collect(graded: Graded) -> None:
    told = graded(replace(planted("import pytest\nx = 1\n"), settings={"runner": "pytest"}))

    assert told.setup_error.startswith("RuntimeError: pytest gave up (5)")


def test_printed_text_is_handed_over_once_and_never_without_end() -> None:
    printed = Printed()
    printed.write(b"a" * KEPT)

    assert printed.write(b"too much") == 8
    assert printed.take() == "a" * KEPT
    assert not printed.take()
