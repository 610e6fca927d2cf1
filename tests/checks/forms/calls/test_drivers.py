"""The same tasks in every language that has a driver: right answers pass, wrong ones fail."""

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.toolchains.drivers.driver import drivers
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall
from steelyard.model.outcome import Classification, Integrity
from tests.checks.forms.calls.answers import RIGHT, SLIPPED, fenced, wrong
from tests.checks.forms.calls.tasks import TASKS, CallsTask
from tests.checks.leftovers import used_sandbox

GIVEN = [
    pytest.param(language, task, id=f"{language}-{task.function}")
    for language in RIGHT
    for task in TASKS
    if language != "c" or task.signature
]

# What a driver might do in the answer's place: a call, and an answer that does not do what is expected of it.
UNEARNED = {
    "go, text that is no UTF-8": (
        "go",
        FunctionCall(args=({"bytes": "Yf9i"},), returns="a\ufffdb"),
        "package main\n\nfunc f(raw []byte) string { return string(raw) }",
    ),
    "go, a key that is no UTF-8": (
        "go",
        FunctionCall(args=({"bytes": "/w=="},), returns={"\ufffd": 1}),
        "package main\n\nfunc f(raw []byte) map[string]int { return map[string]int{string(raw): 1} }",
    ),
    "go, an argument too few": (
        "go",
        FunctionCall(args=(), raises="panic"),
        "package main\n\nfunc f(one int) int { return one }",
    ),
    "cpp, no exception of std": (
        "cpp",
        FunctionCall(args=(1,), raises="exception"),
        "int f(int) { throw 42; }",
    ),
    "cpp, a pair of none": (
        "cpp",
        FunctionCall(args=([],), raises="std::out_of_range"),
        "#include <utility>\nint f(std::pair<int, int> both) { return both.first; }",
    ),
    "cpp, a tuple of too many": (
        "cpp",
        FunctionCall(args=([1, 2],), returns=1),
        "#include <tuple>\nint f(std::tuple<int> one) { return std::get<0>(one); }",
    ),
    "cpp, a table of no pairs": (
        "cpp",
        FunctionCall(args=([[1]],), raises="any"),
        "#include <map>\nint f(std::map<int, int> all) { return all.at(1); }",
    ),
    "cpp, a number for a table": (
        "cpp",
        FunctionCall(args=(5,), returns=0),
        "#include <map>\nint f(std::map<int, int> all) { return all.size(); }",
    ),
    "rust, a table of no pairs": (
        "rust",
        FunctionCall(args=([[1]],), raises="panic"),
        "use std::collections::HashMap;\npub fn f(all: HashMap<i32, i32>) -> i32 { all[&1] }",
    ),
}


@pytest.fixture(scope="module")
def checker() -> CallsChecker:
    return CallsChecker(used_sandbox())


def test_every_driver_is_tried() -> None:
    assert set(RIGHT) == set(drivers())


@pytest.mark.parametrize(("language", "task"), GIVEN)
def test_a_right_answer_passes_every_call(language: str, task: CallsTask, checker: CallsChecker) -> None:
    outcome = checker.check(task.case(language), fenced(language, RIGHT[language]))

    assert outcome.facts.classification is Classification.PASS, outcome.detail
    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (len(task.calls), 0)
    assert outcome.integrity is Integrity.SEALED


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("language", "task"), [one for one in GIVEN if str(one.id).partition("-")[2] in SLIPPED]
)
def test_a_slip_fails(language: str, task: CallsTask, checker: CallsChecker) -> None:
    outcome = checker.check(task.case(language), wrong(language))

    assert outcome.facts.classification is Classification.FAIL, outcome.detail
    assert outcome.facts.tests_passed == 0
    assert outcome.integrity is Integrity.SEALED


@pytest.mark.check_all
@pytest.mark.parametrize(("language", "call", "code"), UNEARNED.values(), ids=list(UNEARNED))
def test_what_the_driver_does_is_not_the_answer_s_doing(
    language: str, call: FunctionCall, code: str, checker: CallsChecker
) -> None:
    expectations = Expectations(function="f", calls=(call,))
    case = Case(id="f", language=language, timeout_s=60.0, expectations=expectations)

    outcome = checker.check(case, fenced(language, code))

    assert outcome.facts.classification is Classification.FAIL, outcome.detail
