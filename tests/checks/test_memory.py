"""The memory that a case gives is the memory that a check may use, whatever the language."""

from dataclasses import replace

import pytest

from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification
from steelyard.runner.check.checkers import Checkers
from tests.checks.leftovers import used_sandbox

RUST = "pub fn taken(n: usize) -> usize { let block = vec![1u8; n]; block.iter().map(|x| *x as usize).sum() }"
RUST_TESTS = "#[test] fn takes() { assert_eq!(taken(400_000_000), 400_000_000); }"
# By steps, and volatile: a compiler leaves out what is written and never read.
C = """\
int main(void) {
    volatile char *block = malloc(400000000);
    if (!block) return 1;
    for (long at = 0; at < 400000000; at += 1024) block[at] = 1;
    puts("yes");
}"""
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
IO_TESTS = "[[tests]]\nname = 'takes'\nstdout = 'yes'\n"
ANSWERS = {
    "rust": (Expectations(tests=RUST_TESTS), f"```rust\n{RUST}\n```"),
    "c": (Expectations(tests=IO_TESTS, settings={"tests": "io"}), f"```c\n{HEAD}{C}\n```"),
}


@pytest.mark.parametrize("language", ANSWERS)
def test_an_answer_gets_the_memory_of_its_case_and_no_more(language: str) -> None:
    expectations, answer = ANSWERS[language]
    case = Case(id="takes", language=language, timeout_s=60.0, expectations=expectations)
    checker = Checkers(used_sandbox()).of(case)

    given, short = checker.check(case, answer), checker.check(replace(case, memory_mb=200), answer)

    assert given.facts.classification is Classification.PASS, given.detail
    assert short.facts.classification in {Classification.CRASH, Classification.FAIL}, short.detail
