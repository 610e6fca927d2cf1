"""pytest runs graded tests from memory, and what an answer prints is kept within bounds."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.python.grader_runtime.streams import KEPT, Printed
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

@pytest.mark.skip
def test_later():
    pass

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
    assert told.results["test_it[1]"].asserted == {"10": 1}


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
