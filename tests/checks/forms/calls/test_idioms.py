"""What people and models usually write in a language passes, whatever types and names it uses."""

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall, Plain
from steelyard.model.outcome import Classification
from tests.checks.forms.calls.answers import fenced
from tests.checks.forms.calls.idioms import IDIOMS, NAMES, Idiom, named
from tests.checks.forms.calls.surroundings import SURROUNDINGS
from tests.checks.leftovers import used_sandbox


@pytest.fixture(scope="module")
def checker() -> CallsChecker:
    return CallsChecker(used_sandbox())


def case(idiom: Idiom, *calls: FunctionCall) -> Case:
    settings = {"signature": idiom.signature} if idiom.signature else {}
    expectations = Expectations(function=idiom.function, calls=calls, settings=settings)
    return Case(id="idiom", language=idiom.language, timeout_s=60.0, expectations=expectations)


USUAL = {**IDIOMS, **SURROUNDINGS}


@pytest.mark.parametrize("idiom", USUAL.values(), ids=named(USUAL))
def test_a_usual_answer_passes(idiom: Idiom, checker: CallsChecker) -> None:
    call = FunctionCall(args=idiom.args, returns=idiom.returns)

    outcome = checker.check(case(idiom, call), fenced(idiom.language, idiom.code))

    assert outcome.facts.classification is Classification.PASS, outcome.detail


@pytest.mark.check_all
def test_an_error_of_cpp_is_of_the_kind_of_every_class_that_it_is_made_of(checker: CallsChecker) -> None:
    kinds = ("std::overflow_error", "overflow_error", "std::runtime_error", "runtime_error", "std::exception")
    code = NAMES + 'int f(int) { throw overflow_error("large"); }'
    idiom = Idiom("cpp", "f", (1,), None, code)
    calls = [FunctionCall(args=(1,), raises=kind) for kind in kinds]

    outcome = checker.check(case(idiom, *calls), fenced("cpp", code))

    assert outcome.facts.classification is Classification.PASS, outcome.detail
    assert outcome.facts.tests_passed == len(kinds)


WIDE = {
    "rust": "pub fn twice(one: f32) -> f32 { 2.0 * one }",
    "go": "package main\n\nfunc twice(one float32) float32 { return 2 * one }",
    "java": "class Calc { static float twice(float one) { return 2 * one; } }",
    "c": "float twice(float one) { return 2 * one; }",
    "cpp": "float twice(float one) { return 2 * one; }",
}


@pytest.mark.check_all
@pytest.mark.parametrize("language", WIDE)
def test_a_float_of_32_bits_comes_back_with_the_fewest_digits(language: str, checker: CallsChecker) -> None:
    idiom = Idiom(language, "twice", (), None, WIDE[language], "float twice(float one)")
    calls = [FunctionCall(args=(one,), returns=2 * one) for one in (1.5e10, -1e20, 0.1, 1.0)]

    outcome = checker.check(case(idiom, *calls), fenced(language, idiom.code))

    assert outcome.facts.classification is Classification.PASS, outcome.detail


NIL = (
    "package main\n\nfunc find(n int) ([]int, [][]int, map[string]int, map[int]bool, map[int]struct{}) {\n"
    "\treturn nil, [][]int{nil}, nil, nil, nil\n}"
)
EMPTY: tuple[Plain, ...] = ([], [[]], {}, {"dict": []}, {"set": []})
NULL: tuple[Plain, ...] = (None, [None], None, None, None)
FULL: tuple[Plain, ...] = ([0], [[0]], {"a": 0}, {"dict": [[0, False]]}, {"set": [0]})


def test_nil_of_go_is_both_null_and_empty(checker: CallsChecker) -> None:
    idiom = Idiom("go", "find", (1,), None, NIL)
    wrong = [[*EMPTY[:place], one, *EMPTY[place + 1 :]] for place, one in enumerate(FULL)]
    calls = [FunctionCall(args=(1,), returns=list(returns)) for returns in (EMPTY, NULL, *wrong)]

    outcome = checker.check(case(idiom, *calls), fenced("go", NIL))

    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (2, len(FULL)), outcome.detail


def test_what_go_has_made_empty_is_not_null(checker: CallsChecker) -> None:
    code = "package main\n\nfunc find(n int) ([]int, map[int]int) { return []int{}, map[int]int{} }"
    wanted: list[Plain] = [[[], {}], [None, {}], [[], None]]
    calls = [FunctionCall(args=(1,), returns=returns) for returns in wanted]

    outcome = checker.check(case(Idiom("go", "find", (1,), None, code), *calls), fenced("go", code))

    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (1, 2), outcome.detail


@pytest.mark.check_all
def test_an_error_of_cpp_is_of_no_other_kind(checker: CallsChecker) -> None:
    code = NAMES + 'int f(int) { throw overflow_error("large"); }'
    idiom = Idiom("cpp", "f", (1,), None, code)
    call = FunctionCall(args=(1,), raises="std::logic_error")

    assert checker.check(case(idiom, call), fenced("cpp", code)).facts.classification is Classification.FAIL
