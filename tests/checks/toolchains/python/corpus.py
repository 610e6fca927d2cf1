"""Answers with what must come of them, read from the TOML files beside this one.

`truths` are right answers, and others whose facts are known; `attacks` are wrong answers that try to pass.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

HERE = Path(__file__).parent
PATIENT_S, ATTACK_S, BRIEF_S = 30.0, 8.0, 1.0  # the last for truths that use all their time

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
    """An answer, its tests, and the facts that are expected of truths."""

    name: str
    answer: str
    tests: str = ADD
    ends: Classification = Classification.PASS
    counts: tuple[int, ...] | None = None  # tests passed, failed and ignored
    built: bool | None = None
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    reference: str | None = None
    memory_mb: int | None = None
    timeout_s: float = PATIENT_S

    @property
    def case(self) -> Case:
        """The case of this answer; by default the whole answer is code."""
        return Case(
            id=self.name,
            language="python",
            timeout_s=self.timeout_s,
            memory_mb=self.memory_mb,
            files=self.files,
            reference=self.reference,
            expectations=Expectations(tests=self.tests, settings={"answer": "raw", **self.settings}),
        )


def planted(folder: str) -> list[Planted]:
    """Return all planted answers of one kind."""
    return [
        _planted(entry, is_attack=folder == "attacks")
        for path in sorted((HERE / folder).glob("*.toml"))
        for entries in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for entry in entries
    ]


def _planted(entry: dict[str, Any], *, is_attack: bool) -> Planted:
    ends = Classification(entry.get("ends", "pass"))
    truth_s = BRIEF_S if ends is Classification.TIMEOUT else PATIENT_S
    counts, tests = entry.get("counts"), entry.get("tests")
    return Planted(
        name=entry["name"],
        answer=entry["answer"],
        tests=tests or SHARED_TESTS[entry.get("shared_tests", "add")],
        ends=ends,
        counts=tuple(counts) if counts else None,
        built=entry.get("built", True if counts else None),
        settings=entry.get("settings", {}),
        files=entry.get("files", {}),
        reference=entry.get("reference"),
        memory_mb=entry.get("memory_mb"),
        timeout_s=ATTACK_S if is_attack else truth_s,
    )


MADE = [
    Planted(name="a megabyte of source", answer=RIGHT + "x = 1\n" * 170_000, counts=(3, 0, 0), built=True),
    Planted(
        name="nested too deeply",
        answer=f"add = {'(' * 5000}{')' * 5000}\n",
        ends=Classification.BUILD_ERROR,
        built=False,
    ),
]
ATTACKS = planted("attacks")
TRUTHS = [*planted("truths"), *MADE]
PASSING: dict[str, list[str]] = tomllib.loads((HERE / "passing_attacks.toml").read_text(encoding="utf-8"))
LISTED = {name: reason for reason, names in PASSING.items() for name in names}  # attacks that pass
FORGING = ("partial", "open")  # reasons by which a wrong answer passes; others are no forgery
