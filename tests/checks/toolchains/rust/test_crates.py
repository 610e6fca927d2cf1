"""Rust tests as benchmarks write them: crates of their own, features, ignored tests, and a plain `main`."""

from dataclasses import replace

import pytest

from steelyard.checks.toolchains.rust import RustChecker
from steelyard.checks.toolchains.rust.graded import graded_module, graded_modules
from steelyard.checks.toolchains.rust.rules import GradingRules
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Integrity, NoTests
from tests.checks.toolchains.rust.cases import rust_case
from tests.checks.toolchains.rust.planted import fenced

PASS, FAIL = Classification.PASS, Classification.FAIL
RIGHT = "pub fn area(a: u32, b: u32) -> u32 {\n    a * b\n}\nfn hidden() {}\npub struct Tile;\n"
WRONG = RIGHT.replace("*", "+")
BY_NAME = """\
//! Tests of areas.
#![allow(dead_code)]

/// What is tested.
use floor_tiles::area;
use floor_tiles as tiles;
extern crate floor_tiles;

#[test]
fn of_a_square() {
    assert_eq!(area(3, 3), 9);
}

mod more {
    #[test]
    #[ignore]
    fn of_a_strip() {
        assert_eq!(super::tiles::area(1, 5), 5);
    }

    #[cfg(feature = "round")]
    #[test]
    fn of_a_circle() {
        floor_tiles::circle();
    }

    #[test]
    #[cfg(not(feature = "round"))]
    fn of_nothing() {
        assert!(floor_tiles::area(0, 7) == 0);
    }
}

#[cfg(feature = "round")]
mod round {
    #[test]
    fn is_there() {}
}
"""
COUNTING = """\
// file: tests/plain.rs
use floor_tiles::area;
#[test]
fn of_a_square() {
    assert_eq!(area(2, 2), 4);
}
// file: tests/counting.rs
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
struct Counting;
static COUNT: AtomicUsize = AtomicUsize::new(0);
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::SeqCst);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }
}
#[global_allocator]
static COUNTING: Counting = Counting;
#[test]
fn needs_no_memory() {
    let before = COUNT.load(Ordering::SeqCst);
    drop(Box::new(7));
    assert_eq!(COUNT.load(Ordering::SeqCst), before + 1);
    floor_tiles::area(2, 2);
    assert_eq!(COUNT.load(Ordering::SeqCst), before + 1);
}
"""
MAIN = "fn main() {\n    assert_eq!(area(2, 3), 6);\n    assert!(area(0, 1) == 0);\n}\n"


def crate_case(tests: str, **settings: str) -> Case:
    return rust_case("tiles", tests, settings={"crate": "floor_tiles", **settings})


def test_tests_may_be_a_crate_that_imports_the_answer_by_name(rust: RustChecker) -> None:
    right, wrong = (rust.check(crate_case(BY_NAME), fenced(text)) for text in (RIGHT, WRONG))

    assert right.facts.classification is PASS, right.detail
    assert (right.facts.tests_passed, right.facts.tests_ignored) == (2, 1)
    assert (wrong.facts.classification, wrong.facts.tests_failed) == (FAIL, 2)
    assert right.integrity is Integrity.OPEN


def test_ignored_tests_run_if_the_case_says_so(rust: RustChecker) -> None:
    outcome = rust.check(crate_case(BY_NAME, ignored="run"), fenced(RIGHT))

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 3)


def test_a_feature_is_switched_on_for_the_answer_and_its_tests(rust: RustChecker) -> None:
    round_too = RIGHT + '#[cfg(feature = "round")]\npub fn circle() {}\n'
    case = crate_case(BY_NAME, features="round")

    outcome = rust.check(case, fenced(round_too))
    without = rust.check(case, fenced(RIGHT))

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 3), outcome.detail
    assert without.facts.no_tests is NoTests.BUILD_FAILED


def test_a_crate_of_tests_sees_only_what_is_public(rust: RustChecker) -> None:
    outcome = rust.check(crate_case(BY_NAME), fenced(RIGHT.replace("pub fn", "fn")))

    assert (outcome.facts.built, outcome.facts.no_tests) == (True, NoTests.BUILD_FAILED)
    assert "private" in outcome.detail


def test_several_files_are_several_crates(rust: RustChecker) -> None:
    wasteful = RIGHT.replace("a * b", "*Box::new(std::hint::black_box(a * b))")

    right, wrong = (rust.check(crate_case(COUNTING), fenced(text)) for text in (RIGHT, wasteful))

    assert (right.facts.classification, right.facts.tests_passed) == (PASS, 2), right.detail
    assert (wrong.facts.classification, wrong.facts.tests_failed) == (FAIL, 1)


def test_tests_that_come_after_an_endless_one_count_as_failed(rust: RustChecker) -> None:
    case = replace(crate_case(COUNTING), timeout_s=1)

    outcome = rust.check(case, fenced(RIGHT.replace("a * b", "loop {}")))

    assert outcome.facts.classification is Classification.TIMEOUT
    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (0, 2)


def test_an_answer_that_denies_lints_is_linked_all_the_same(rust: RustChecker) -> None:
    linted = "#![deny(clippy::all)]\n" + RIGHT.replace("a * b", "return a * b;")

    outcome = rust.check(crate_case(BY_NAME), fenced(linted))

    assert (outcome.facts.classification, outcome.facts.lint_warnings) == (PASS, 1), outcome.detail


@pytest.mark.parametrize("answer", ["pub fn area(_: u32, _: u32) -> u32 { todo!() }", "// later"])
def test_a_stub_fails_a_crate_of_tests(rust: RustChecker, answer: str) -> None:
    assert rust.check(crate_case(BY_NAME), fenced(answer)).facts.classification is not PASS


def test_a_main_with_assertions_is_one_test(rust: RustChecker) -> None:
    right, wrong = (rust.check(rust_case("main", MAIN), fenced(text)) for text in (RIGHT, WRONG))
    leaving = rust.check(rust_case("main", MAIN), fenced(WRONG.replace("a + b", "std::process::exit(0)")))

    assert (right.facts.classification, right.facts.tests_passed) == (PASS, 1), right.detail
    assert (wrong.facts.classification, wrong.facts.tests_failed) == (FAIL, 1)
    assert leaving.facts.classification is FAIL


def test_a_main_beside_tests_is_no_test() -> None:
    module = graded_module(f"{MAIN}#[test]\nfn a() {{}}\nmod m {{ fn main() {{}} }}\n")

    assert [test.name for test in module.tests] == ["a"]


def test_a_whole_file_may_hang_on_a_feature() -> None:
    text = '#![cfg(feature = "round")]\n#[test]\nfn a() {}\n'

    assert graded_module(text).tests == ()
    assert len(graded_module(text, GradingRules(features=frozenset({"round"}))).tests) == 1


def test_files_are_told_apart_only_where_tests_are_crates() -> None:
    assert len(graded_modules(COUNTING, GradingRules(crate="floor_tiles"))) == 2
    assert len(graded_modules(COUNTING, GradingRules())) == 1


@pytest.mark.parametrize(
    "settings", [{"crate": "floor-tiles"}, {"crate": "a=/etc"}, {"features": 'a" , "b'}], ids=str
)
def test_a_setting_that_is_no_name_is_our_error(rust: RustChecker, settings: dict[str, str]) -> None:
    outcome = rust.check(rust_case("tiles", MAIN, settings=settings), fenced(RIGHT))

    assert outcome.facts.classification is Classification.ERROR
    assert "settings." in outcome.detail


def test_a_case_may_forbid_unsafe_code(rust: RustChecker) -> None:
    answer = fenced(RIGHT.replace("a * b", "unsafe { std::mem::transmute(a * b) }"))

    for settings, kind in (({"unsafe": "forbidden"}, Classification.POLICY_VIOLATION), ({}, PASS)):
        case = rust_case("main", MAIN, settings=settings)
        outcome = rust.check(case, answer)
        assert outcome.facts.classification is kind, outcome.detail


def test_a_trait_changes_no_method_that_a_crate_of_tests_calls(rust: RustChecker) -> None:
    tests = 'use floor_tiles::parse;\n#[test]\nfn refuses() {\n    assert!(parse("x").is_err());\n}\n'
    cheat = (
        "pub fn parse(_: &str) -> Result<u32, String> {\n    Ok(1)\n}\n"
        "pub trait Always: Sized {\n    fn is_err(self) -> bool {\n        true\n    }\n}\n"
        "impl<T, E> Always for Result<T, E> {}\n"
    )
    as_module = rust_case("refuses", tests.replace("use floor_tiles::parse;\n", ""))

    assert rust.check(crate_case(tests), fenced(cheat)).facts.classification is FAIL
    # In a module that sees all of the answer, the trick works: such a grade says that it can be forged.
    fooled = rust.check(as_module, fenced(cheat))
    assert (fooled.facts.classification, fooled.integrity) == (PASS, Integrity.OPEN)
