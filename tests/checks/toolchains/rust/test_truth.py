"""A check of a Rust answer finds the facts about it."""

import pytest

from steelyard.checks.toolchains.rust import RustChecker
from tests.checks.toolchains.rust.cases import CASES
from tests.checks.toolchains.rust.planted import SUM, Planted, fenced, name_of, passing, planted

COMMENT = "// a line to make it long, which says nothing at all\n"
FUNCTIONS = "".join(f"pub fn f{n}() -> i64 {{\n    {n}\n}}\n" for n in range(2000))
TRUTHS = (
    *planted("truth.toml"),
    passing("right, in a megabyte", fenced(f"{SUM}\n{COMMENT * 20_000}pub const END: i64 = 0;")),
    passing("right, with two thousand functions", fenced(SUM + FUNCTIONS)),
)


@pytest.mark.parametrize("truth", TRUTHS, ids=name_of)
def test_the_facts_are_found(truth: Planted, rust: RustChecker) -> None:
    outcome = rust.check(CASES[truth.case], truth.answer)

    assert outcome.facts == truth.facts, outcome.detail
