"""The Rust checker as a whole: what it needs, what it does when that is missing, and what it says."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.checks.toolchains.rust import RustChecker
from steelyard.checks.toolchains.rust.toolchain import find_toolchain
from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV
from steelyard.errors import InfrastructureError, SandboxError
from steelyard.model.case import Case, Dependency
from steelyard.model.execution import Command, ExecResult
from steelyard.model.outcome import Classification
from steelyard.plugins import CHECKERS, load
from steelyard.runner.check.checkers import Checkers
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.toolchains.rust.cases import CASES, rust_case
from tests.checks.toolchains.rust.planted import SUM, body, fenced, planted

ANSWERS = {answer.what: answer for answer in planted("truth.toml")}
STACK, WORDS = ANSWERS["a right stack"].answer, ANSWERS["right words"].answer
LINTED = """\
pub struct Bag {
    pub items: Vec<i32>,
}

impl Bag {
    pub fn new() -> Bag {
        return Bag { items: Vec::new() };
    }

    pub fn len(&self) -> usize {
        let mut n = 0;
        for i in 0..self.items.len() {
            if self.items[i] == self.items[i] {
                n = n + 1;
            }
        }
        n as usize
    }

    pub fn has(&self, x: &i32) -> bool {
        if self.items.contains(x) == true { return true; } else { return false; }
    }
}

pub fn sum(values: &[i64]) -> i64 {
    let copied = values.clone().to_vec().iter().map(|v| v.clone()).collect::<Vec<i64>>();
    copied.iter().fold(0, |a, b| a + b)
}
fn helper(text: &String) -> &str {
    &text[..]
}
"""
FOREVER = (
    "#![allow(long_running_const_eval)]\npub const FOREVER: u64 = {\n    let mut n = 0_u64;\n"
    "    while n < u64::MAX {\n        n += 1;\n    }\n    n\n};\n"
)
DOUBLING = "macro_rules! more { ($($t:tt)*) => { more!($($t)* $($t)*); } }\nmore!(a);\n"
SHAPES_MANIFEST = """\
[package]
name = "shapes"
version = "1.2.3"
edition = "2021"

[features]
round = []
"""
SHAPES_SOURCE = """\
/// The sides of a square.
pub const SIDES: i64 = 4;
#[cfg(feature = "round")]
pub const ROUND: i64 = 1;
"""
SHAPES = {"vendor/shapes/Cargo.toml": SHAPES_MANIFEST, "vendor/shapes/src/lib.rs": SHAPES_SOURCE}
SIDES = fenced("use shapes::{ROUND, SIDES};\npub fn sides() -> i64 {\n    SIDES + ROUND\n}")
SIDES_CASE = replace(
    rust_case("sides", "#[test]\nfn has_sides() {\n    assert_eq!(sides(), 5);\n}\n"),
    dependencies=(Dependency(name="shapes", version="1", features=("round",)),),
)


class BrokenSandbox:
    """A sandbox that cannot run anything."""

    def run(self, command: Command) -> ExecResult:
        raise SandboxError("no namespaces here")


class ForgetfulSandbox:
    """A sandbox that builds, and then loses what the tests tell."""

    def __init__(self) -> None:
        self._real = BubblewrapSandbox()

    def run(self, command: Command) -> ExecResult:
        return ExecResult(exit_code=0) if command.channel else self._real.run(command)


def cargo_clippy_count(folder: Path, code: str) -> int:
    """Return how many lints `cargo clippy` finds in a library."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "answer"\nversion = "0.1.0"\nedition = "2021"\n', "utf-8"
    )
    (folder / "src" / "lib.rs").write_text(code, "utf-8")
    argv = ["cargo", "clippy", "--offline", "--quiet", "--lib", "--message-format=json"]
    said = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False).stdout
    return sum(code.startswith("clippy::") for code in _codes(said))


def _codes(said: str) -> Iterator[str]:
    for line in said.splitlines():
        message = json.loads(line).get("message") or {}
        yield str((message.get("code") or {}).get("code"))


def test_the_name_rust_stands_for_the_checker() -> None:
    assert load(CHECKERS, "rust", group="checkers") is RustChecker


@pytest.mark.parametrize(
    "code",
    [LINTED, "#![allow(clippy::all)]\n" + LINTED, "#![deny(clippy::style)]\n" + LINTED, STACK, WORDS],
    ids=["many", "allowed", "denied", "stack", "words"],
)
def test_the_lint_count_is_that_of_cargo_clippy(rust: RustChecker, tmp_path: Path, code: str) -> None:
    alone = rust.check(CASES["untested"], code)
    with_tests = rust.check(
        CASES["sum" if "fn sum" in code else "stack" if "Stack" in code else "words"], code
    )

    expected = cargo_clippy_count(tmp_path, extract(code, "rust").code)
    assert (alone.facts.lint_warnings, with_tests.facts.lint_warnings) == (expected, expected)


@pytest.mark.parametrize("answer", [body("values.iter().product()"), body("values.len()"), fenced(SUM)])
def test_the_same_answer_has_the_same_outcome_every_time(rust: RustChecker, answer: str) -> None:
    outcomes = [rust.check(CASES["sum"], answer) for _ in range(3)]

    told = {(outcome.facts, outcome.detail, outcome.check_digest) for outcome in outcomes}
    assert len(told) == 1


def test_a_failing_test_is_told_with_its_place_and_its_values(rust: RustChecker) -> None:
    detail = rust.check(CASES["sum"], body("values.iter().product()")).detail

    assert "tests::of_nothing: failed" in detail
    assert "src/tests.rs:7:9" in detail
    assert "left: 1" in detail
    assert "assertion failed: sum(&[-1, -2]) == -3" in detail


def test_a_broken_build_is_told_with_the_compilers_words(rust: RustChecker) -> None:
    detail = rust.check(CASES["sum"], body("values.len()")).detail

    assert detail.startswith("error[E0308]: mismatched types")
    assert "/box" not in detail


def test_an_answer_that_uses_unsafe_says_so(rust: RustChecker) -> None:
    outcome = rust.check(CASES["sum"], body("unsafe { std::mem::transmute(values.iter().sum::<i64>()) }"))

    assert "uses unsafe" in outcome.detail


def test_a_sandbox_that_breaks_is_our_error() -> None:
    outcome = RustChecker(BrokenSandbox()).check(CASES["untested"], SUM)

    assert outcome.facts.classification is Classification.ERROR
    assert outcome.facts.passed is None
    assert "no namespaces here" in outcome.detail


def test_tests_that_nobody_tells_about_are_our_error() -> None:
    outcome = RustChecker(ForgetfulSandbox()).check(CASES["sum"], SUM)

    assert outcome.facts.classification is Classification.ERROR
    assert "the test runner failed" in outcome.detail


def test_no_rust_at_all_stops_before_anything_is_checked() -> None:
    with pytest.raises(InfrastructureError, match="rustup"):
        find_toolchain("no-such-rustc")


def test_a_rustc_that_does_not_work_is_named() -> None:
    with pytest.raises(InfrastructureError, match="does not work"):
        find_toolchain("false")


def test_a_rustc_that_fails_is_quoted_and_not_called_missing(tmp_path: Path) -> None:
    proxy = tmp_path / "rustc"
    proxy.write_text("#!/bin/sh\necho 'error: no default is configured' >&2\nexit 1\n", encoding="utf-8")
    proxy.chmod(0o755)

    with pytest.raises(InfrastructureError) as caught:
        find_toolchain(str(proxy))

    said = f"{proxy} does not work: error: no default is configured; run `steelyard doctor`"
    assert str(caught.value) == said


def test_without_clippy_the_lint_is_unknown_and_said_to_be() -> None:
    bare = replace(find_toolchain(), has_clippy=False)
    outcome = RustChecker(BubblewrapSandbox(), toolchain=bare).check(CASES["clean"], LINTED)

    assert outcome.facts.classification is Classification.PASS
    assert outcome.facts.lint_warnings is None
    assert "clippy is not installed" in outcome.detail


@pytest.mark.parametrize("tests", ["fn helper() {}", "#[test]\n#[ignore]\nfn later() {}", "#[test"])
def test_tests_that_test_nothing_are_our_error(rust: RustChecker, tests: str) -> None:
    outcome = rust.check(rust_case("empty", tests), SUM)

    assert outcome.facts.classification is Classification.ERROR


def test_macros_that_stand_outside_of_functions_may_be_used_by_tests(rust: RustChecker) -> None:
    tests = """
    use std::cell::Cell;
    thread_local! { static CALLS: Cell<u32> = Cell::new(0); }
    #[test]
    fn adds() { CALLS.with(|calls| calls.set(1)); assert_eq!(super::sum(&[1, 2]), 3); }
    """

    assert rust.check(rust_case("counted", tests), fenced(SUM)).facts.classification is Classification.PASS


def test_a_build_without_end_is_stopped() -> None:
    hurried = RustChecker(BubblewrapSandbox(), build_s=2)
    outcome = hurried.check(replace(CASES["sum"], timeout_s=1), fenced(FOREVER + SUM))

    assert outcome.facts.classification is Classification.TIMEOUT
    assert outcome.facts.built is None
    assert "stopped: " in outcome.detail


def test_a_build_that_grows_without_end_is_stopped() -> None:
    hurried = RustChecker(BubblewrapSandbox(), build_s=2)
    outcome = hurried.check(replace(CASES["untested"], timeout_s=1), fenced(DOUBLING + SUM))

    # Whether the clock or the memory ends first depends on the machine.
    assert outcome.facts.classification in {Classification.TIMEOUT, Classification.BUILD_ERROR}
    assert "stopped: " in outcome.detail


def test_a_dependency_may_lie_among_the_files_of_the_case(rust: RustChecker) -> None:
    case = replace(SIDES_CASE, files=SHAPES)

    right, wrong = rust.check(case, SIDES), rust.check(case, SIDES.replace("SIDES + ROUND", "SIDES - ROUND"))

    assert right.facts.classification is Classification.PASS, right.detail
    assert (wrong.facts.classification, wrong.facts.tests_failed) == (Classification.FAIL, 1)


def write_vendored(folder: Path, *, checksum: str = '{"files": {}}') -> Path:
    """Write a folder as `cargo vendor` makes it."""
    for name, text in SHAPES.items():
        path = folder / name.removeprefix("vendor/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (folder / "shapes" / ".cargo-checksum.json").write_text(checksum, "utf-8")
    for each in (folder.parent, folder):
        each.chmod(0o755)
    return folder


def test_a_dependency_may_lie_in_a_folder_of_cargo_vendor(tmp_path: Path) -> None:
    checker = RustChecker(BubblewrapSandbox(), vendor=write_vendored(tmp_path))

    outcome = checker.check(SIDES_CASE, SIDES)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


def test_a_variable_names_the_folder_of_cargo_vendor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_ENV, str(write_vendored(tmp_path)))
    checkers = Checkers(BubblewrapSandbox())

    right = checkers.of(SIDES_CASE).check(SIDES_CASE, SIDES)
    wrong = checkers.of(SIDES_CASE).check(SIDES_CASE, SIDES.replace("SIDES + ROUND", "SIDES - ROUND"))

    assert right.facts.classification is Classification.PASS, right.detail
    assert wrong.facts.classification is Classification.FAIL, wrong.detail


def test_a_folder_of_crates_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_ENV, "/no/such/folder")

    checker = RustChecker(BrokenSandbox())  # cases without dependencies need no folder

    with pytest.raises(InfrastructureError, match=r"/no/such/folder.*STEELYARD_CARGO_VENDOR"):
        checker.check(SIDES_CASE, SIDES)


def digest_of_check(vendor: Path | None, case: Case = SIDES_CASE) -> str | None:
    return RustChecker(BrokenSandbox(), vendor=vendor).check(case, SIDES).check_digest


def test_other_crates_in_the_folder_are_another_check_and_another_place_is_not(tmp_path: Path) -> None:
    one, same, other = (write_vendored(tmp_path / name) for name in ("one", "same", "other"))
    write_vendored(other, checksum='{"files": {"src/lib.rs": "00ff"}}')

    ours = digest_of_check(one)

    assert digest_of_check(same) == ours
    assert len({ours, digest_of_check(other), digest_of_check(None)}) == 3


def test_the_folder_is_nothing_to_a_case_without_dependencies(tmp_path: Path) -> None:
    bare = replace(SIDES_CASE, dependencies=())

    assert digest_of_check(write_vendored(tmp_path), bare) == digest_of_check(None, bare)


def test_a_dependency_that_is_nowhere_is_our_error(rust: RustChecker) -> None:
    outcome = rust.check(SIDES_CASE, SIDES)

    assert outcome.facts.classification is Classification.ERROR
    assert "shapes" in outcome.detail


def test_an_answer_cannot_bring_a_dependency(rust: RustChecker) -> None:
    files = "".join(f"```{name.rpartition('.')[2]} {name}\n{text}```\n" for name, text in SHAPES.items())
    outcome = rust.check(rust_case("sides", SIDES_CASE.expectations.tests), SIDES + files)

    assert outcome.facts.classification is Classification.BUILD_ERROR
