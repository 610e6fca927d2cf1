"""Planted answers with the outcomes they must get, read from the TOML files beside this one."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

HERE = Path(__file__).parent
REFUSES = "refused"  # instead of a classification: the tests are refused before anything runs
PATIENT_S, BRIEF_S = 30.0, 1.0  # the second for answers that are meant to use all their time

ADD = """
def test_small():
    assert add(1, 2) == 3
def test_zero():
    assert add(0, 0) == 0
def test_negative():
    assert add(-4, 1) == -3
"""
UNITTEST = """
import unittest
class TestAdd(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(1, 2), 3)
    def test_negative(self):
        self.assertEqual(add(-4, 1), -3)
"""
SHARED_TESTS = {"add": ADD, "add under pytest": f"import pytest\n{ADD}", "add under unittest": UNITTEST}
RIGHT = "def add(a, b):\n    return a + b\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """An answer, what it is up against, and what must come of it."""

    name: str
    answer: str
    ends: frozenset[Classification]
    tests: str = ADD
    counts: tuple[int, ...] | None = None  # tests passed, failed and ignored
    refused: str = ""  # what the tests use and may not, if they are refused
    built: bool | None = None
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    reference: str | None = None
    isolation: str | None = None

    @property
    def case(self) -> Case:
        """The case that this answer answers; unless it says otherwise, the whole answer is code."""
        return Case(
            id=self.name,
            language="python",
            timeout_s=BRIEF_S if Classification.TIMEOUT in self.ends else PATIENT_S,
            files=self.files,
            reference=self.reference,
            expectations=Expectations(
                tests=self.tests,
                settings={
                    "answer": "raw",
                    **({"isolation": "shared"} if self.isolation == "shared" else {}),
                    **self.settings,
                },
            ),
        )


def planted(folder: str) -> list[Planted]:
    """Return all planted answers of one kind."""
    return [
        _planted(entry)
        for path in sorted((HERE / folder).glob("*.toml"))
        for entries in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for entry in entries
    ]


def _planted(entry: dict[str, Any]) -> Planted:
    ends = [entry["ends"]] if isinstance(entry["ends"], str) else entry["ends"]
    if (ends == [REFUSES]) != bool(entry.get("refused")):
        raise ValueError(f"{entry['name']}: an entry that is refused says what for, and no other does")
    counts = entry.get("counts")
    return Planted(
        name=entry["name"],
        answer=entry["answer"],
        ends=frozenset(Classification(word) for word in ends if word != REFUSES),
        refused=entry.get("refused", ""),
        tests=entry.get("tests") or SHARED_TESTS[entry.get("shared_tests", "add")],
        counts=tuple(counts) if counts else None,
        built=entry.get("built", True if counts else None),
        settings=entry.get("settings", {}),
        files=entry.get("files", {}),
        reference=entry.get("reference"),
        isolation=entry.get("isolation"),
    )


MADE = [
    Planted(
        name="a megabyte of source",
        answer=RIGHT + "x = 1\n" * 170_000,
        ends=frozenset({Classification.PASS}),
        counts=(3, 0, 0),
        built=True,
    ),
    Planted(
        name="nested too deeply",
        answer=f"add = {'(' * 5000}{')' * 5000}\n",
        ends=frozenset({Classification.BUILD_ERROR}),
        built=False,
    ),
]
_ATTACKS = planted("attacks")
ATTACKS = [attack for attack in _ATTACKS if not attack.refused]
REFUSED = [attack for attack in _ATTACKS if attack.refused]  # they would work if their tests were not refused


def forged(name: str, answer: str, tests: str = ADD) -> Planted:
    """Return an answer that passes tests in its own process."""
    ends = frozenset({Classification.PASS})
    return Planted(name=name, answer=answer, ends=ends, tests=tests, isolation="shared")


# A grade in a shared process cannot stop these; docs/how-to/check-python.md lists them.
FORGED = [
    forged(
        "replaces the function of the grader that says how a test ended",
        "from steelyard.checks.python.grader_runtime.direct import TestRun\n"
        'TestRun.attempt = lambda self, name, test: self.ended(name, "passed")\n'
        "def add(a, b): return 7\n",
    ),
    forged(
        "empties the assertions of `unittest`",
        "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\ndef add(a, b): return 7\n",
        UNITTEST,
    ),
    forged(
        "reads the expected value from the code of the test that calls it",
        "import sys\ndef add(a, b):\n"
        "    return [one for one in sys._getframe(1).f_code.co_consts if isinstance(one, int)][-1]\n",
    ),
    forged(
        "returns an object that equals everything",
        "class Any:\n    def __eq__(self, other): return True\ndef add(a, b): return Any()\n",
    ),
]
TRUTHS = [*planted("truths"), *MADE]
