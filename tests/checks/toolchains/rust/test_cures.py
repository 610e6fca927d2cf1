"""What the page on Rust says to stop a forgery stops it, and lets a right answer pass."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.toolchains.rust import RustChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall
from steelyard.model.outcome import Classification, Integrity
from tests.checks.leftovers import used_sandbox
from tests.checks.toolchains.rust import forgeries
from tests.checks.toolchains.rust.cases import SUM_TESTS, rust_case
from tests.checks.toolchains.rust.planted import SUM, fenced

PASS, FAIL, BUILD = Classification.PASS, Classification.FAIL, Classification.BUILD_ERROR
POLICY = Classification.POLICY_VIOLATION
WORDS = """\
pub fn parse(text: &str) -> Result<i32, String> { text.parse().map_err(|_| text.to_owned()) }
pub fn words(text: &str) -> Vec<String> { text.split(' ').map(str::to_owned).collect() }
"""
ROOT = "pub fn root(square: f64) -> f64 { square.sqrt() }\n"
BY_NAME = {"crate": "words"}
BY_GLOB = forgeries.NAMED_PARSE_TESTS.replace("{parse, words}", "*")
CALLS = {
    "sum": (FunctionCall(args=([1, 2],), returns=3), FunctionCall(args=([-1, -2],), returns=-3)),
    "parse": (FunctionCall(args=("x",), raises="any"),),
    "root": (FunctionCall(args=(4.0,), returns=2.0),),
}
TRICKS = {
    "searches": forgeries.SEARCHES,
    "forks": forgeries.FORKS,
    "hides": forgeries.HIDES,
    "float": forgeries.FLOAT,
    "any": forgeries.ANY,
}


class Cure(NamedTuple):
    """Tests that stop a trick, how its check must end, and a right answer."""

    trick: str
    kind: Classification
    right: str
    tests: str
    settings: Mapping[str, str] = {}


CURES = (
    Cure("searches", POLICY, SUM, SUM_TESTS, {"unsafe": "forbidden"}),
    Cure("forks", POLICY, SUM, SUM_TESTS, {"unsafe": "forbidden"}),
    Cure("hides", FAIL, WORDS, forgeries.NAMED_PARSE_TESTS, BY_NAME),
    Cure("float", FAIL, ROOT, forgeries.PINNED_ROOT_TESTS),
    Cure("any", FAIL, SUM, forgeries.PINNED_LONG_TESTS),
)


@pytest.mark.parametrize("cure", CURES, ids=lambda cure: cure.trick)
def test_a_cure_stops_its_forgery_and_no_right_answer(cure: Cure, rust: RustChecker) -> None:
    case = rust_case("cured", cure.tests, settings=dict(cure.settings))

    stopped, right = (rust.check(case, fenced(code)) for code in (TRICKS[cure.trick], cure.right))

    assert stopped.facts.classification is cure.kind, stopped.detail
    assert right.facts.classification is PASS, right.detail


def test_every_forgery_has_its_cure() -> None:
    assert [cure.trick for cure in CURES] == list(TRICKS)
    assert [fenced(code) for code in TRICKS.values()] == [forged.answer for forged in forgeries.FORGED]


def test_tests_that_import_everything_see_the_traits_of_an_answer(rust: RustChecker) -> None:
    outcome = rust.check(rust_case("glob", BY_GLOB, settings=BY_NAME), fenced(forgeries.HIDES))

    assert (outcome.facts.classification, outcome.integrity) == (PASS, Integrity.OPEN), outcome.detail


@pytest.mark.parametrize(
    ("function", "code", "kinds"),
    [
        ("sum", SUM, {PASS}),
        ("parse", WORDS, {PASS}),
        ("root", ROOT, {PASS}),
        ("sum", forgeries.SEARCHES, {FAIL}),
        ("sum", forgeries.FORKS, {FAIL}),
        ("parse", forgeries.HIDES, {FAIL}),
        ("root", forgeries.FLOAT, {FAIL, BUILD}),
        ("sum", forgeries.ANY, {FAIL, BUILD}),
    ],
)
def test_by_calls_only_right_results_pass(function: str, code: str, kinds: set[Classification]) -> None:
    wanted = Expectations(function=function, calls=CALLS[function])
    case = Case(id=function, language="rust", timeout_s=60.0, expectations=wanted)

    outcome = CallsChecker(used_sandbox()).check(case, fenced(code))

    assert outcome.facts.classification in kinds, outcome.detail
    assert outcome.integrity is Integrity.SEALED


@pytest.mark.parametrize("symbol", ["memcmp", "bcmp"])
def test_an_exported_symbol_replaces_nothing_even_where_it_is_allowed(symbol: str, rust: RustChecker) -> None:
    tests = 'use super::*;\n#[test]\nfn greets() { assert_eq!(greet("b"), ["a", "b"].concat()); }\n'
    same = f'#[no_mangle]\npub extern "C" fn {symbol}(_: *const u8, _: *const u8, _: usize) -> i32 {{ 0 }}\n'
    greets = 'pub fn greet(name: &str) -> String { format!("{name}{name}") }\n'
    case = rust_case("exported", tests, settings={"exports": "allowed"})

    wrong = rust.check(case, fenced(same + greets))
    right = rust.check(case, fenced(same + greets.replace("{name}{name}", "a{name}")))

    assert wrong.facts.classification is FAIL, wrong.detail
    assert right.facts.classification is PASS, right.detail
