"""Planted Rust answers with what a check of each must find."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.model.outcome import Classification, Facts, NoTests

SUM = "pub fn sum(values: &[i64]) -> i64 {\n    values.iter().sum()\n}\n"
WRONG_SUM = "pub fn sum(values: &[i64]) -> i64 {\n    values.len() as i64 + 41\n}\n"
FOLDER = Path(__file__).parent


class Planted(NamedTuple):
    """An answer, and the facts about it as far as they are given."""

    what: str
    answer: str
    facts: Facts
    case: str = "sum"


def name_of(answer: Planted) -> str:
    """Return the name of the test of an answer."""
    return f"{answer.facts.classification}: {answer.what}"


def planted(name: str) -> Iterator[Planted]:
    """Return the answers of a file."""
    for entry in tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["answers"]:
        yield Planted(entry["what"], entry["answer"], _facts(entry), entry.get("case", "sum"))


def _facts(entry: dict[str, Any]) -> Facts:
    kind = Classification(entry["kind"])
    passed, failed, ignored = entry.get("tests", (None, None, None))
    return Facts(
        classification=kind,
        passed=kind is Classification.PASS,
        built=entry.get("built"),
        tests_passed=passed,
        tests_failed=failed,
        tests_ignored=ignored,
        no_tests=NoTests(entry["no_tests"]) if "no_tests" in entry else None,
        lint_warnings=entry.get("lint"),
    )


def passing(what: str, answer: str) -> Planted:
    """A right and clean answer to `sum`."""
    return Planted(what, answer, _facts({"kind": "pass", "built": True, "tests": [3, 0, 0], "lint": 0}))


def fenced(code: str) -> str:
    """The code as a model would hand it over."""
    return f"Here it is:\n\n```rust\n{code}\n```\n"


def body(text: str) -> str:
    """An answer to `sum` with this in its function."""
    return fenced(f"pub fn sum(values: &[i64]) -> i64 {{\n    {text}\n}}")
