"""No answer in Rust gets away with a trick, and none leaves anything behind."""

import pytest

from steelyard.checks.toolchains.rust import RustChecker
from steelyard.model.outcome import Classification, Facts, Integrity
from tests.checks.leftovers import processes_with
from tests.checks.toolchains.rust.cases import CASES, rust_case
from tests.checks.toolchains.rust.forgeries import FORGED, FORGED_TESTS
from tests.checks.toolchains.rust.planted import SUM, WRONG_SUM, Planted, fenced, name_of, planted
from tests.sandbox.traces import left_since, traces

TRIES = 3  # of a forgery: one that searches memory now and then meets another word first
MARK = "271828"  # so many seconds a left-over process would sleep
NESTED = f"{SUM}pub const DEEP: i32 = {'(' * 20_000}1{')' * 20_000};"
OWN_TESTS = "".join(f"    #[test]\n    fn t{n}() {{}}\n" for n in range(200))
INFLATED = f"{WRONG_SUM}#[cfg(test)]\nmod tests {{\n{OWN_TESTS}}}"
ATTACKS = (
    *planted("attacks.toml"),
    *planted("tricks.toml"),
    Planted("nests without end", fenced(NESTED), Facts(classification=Classification.BUILD_ERROR)),
    Planted("inflates the count by its own", fenced(INFLATED), Facts(classification=Classification.FAIL)),
)
FORGED_CASES = CASES | {name: rust_case(name, tests) for name, tests in FORGED_TESTS.items()}


@pytest.mark.parametrize("attack", ATTACKS, ids=name_of)
def test_a_trick_gets_the_outcome_it_must_get_and_leaves_nothing(attack: Planted, rust: RustChecker) -> None:
    before = traces(groups=True)

    outcome = rust.check(CASES[attack.case], attack.answer)

    assert outcome.facts.classification is attack.facts.classification, outcome.detail
    assert processes_with(MARK) == []
    assert left_since(before, lambda: traces(groups=True)) == {}


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: forged.what)
def test_a_grade_that_can_be_forged_says_so(forged: Planted, rust: RustChecker) -> None:
    case = FORGED_CASES[forged.case]
    outcomes = [rust.check(case, forged.answer)]
    while not outcomes[-1].facts.passed and len(outcomes) < TRIES:
        outcomes.append(rust.check(case, forged.answer))

    assert outcomes[-1].facts.classification is Classification.PASS, outcomes[-1].detail
    assert outcomes[-1].integrity is Integrity.OPEN
