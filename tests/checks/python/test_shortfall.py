"""What tests show of an answer is held against what they show of the reference."""

import pytest

from steelyard.checks.python.job import Tests, read_tests
from steelyard.checks.python.shortfall import fall_short, is_doubtful
from steelyard.checks.python.transcript import TestResult, Transcript
from steelyard.model.case import Case, Expectations

PASSED, SKIPPED = TestResult(status="passed", asserted=1), TestResult(status="ignored")
EMPTY = TestResult(status="passed")
FAILED = TestResult(status="failed", message="as it was")
PLAIN = "def test_it():\n    assert f() == 1\n"
SILENT = "def test_it():\n    f()\n"


def graded(source: str) -> Tests:
    return read_tests(Case(id="x", language="python", expectations=Expectations(tests=source)))


def report(**results: TestResult) -> Transcript:
    return Transcript(results=results)


@pytest.mark.parametrize(
    ("source", "reported"),
    [
        (PLAIN, report(test_it=SKIPPED)),
        (PLAIN, report(test_it=EMPTY)),
        (f"import pytest\n{PLAIN}", report(test_it=PASSED)),
        (f"if f:\n    def test_more(): pass\n{PLAIN}", report(test_it=PASSED)),
        (f"{PLAIN}for name in f():\n    globals()[name] = test_it\n", report(test_it=PASSED)),
    ],
)
def test_what_may_show_less_than_it_should_is_doubtful(source: str, reported: Transcript) -> None:
    assert is_doubtful(graded(source), reported)


def test_plain_tests_that_assert_something_need_no_reference() -> None:
    assert not is_doubtful(graded(PLAIN), report(test_it=PASSED))


def test_tests_without_an_assertion_need_no_reference() -> None:
    assert not is_doubtful(graded(SILENT), report(test_it=EMPTY))


@pytest.mark.parametrize("result", [SKIPPED, EMPTY, PASSED])
def test_an_answer_that_comes_as_far_as_the_reference_keeps_its_results(result: TestResult) -> None:
    reported, reference = report(test_it=result), report(test_it=result)

    fall_short(reported, reference, graded(PLAIN))

    assert reported == reference


@pytest.mark.parametrize("result", [SKIPPED, EMPTY])
def test_a_test_that_shows_nothing_fails_where_it_shows_something_of_the_reference(
    result: TestResult,
) -> None:
    reported = report(test_it=result)

    fall_short(reported, report(test_it=PASSED), graded(PLAIN))

    assert reported.results["test_it"].status == "failed"


def test_it_matters_whether_any_assertion_held_and_not_how_many() -> None:
    reported = report(test_it=PASSED)

    fall_short(reported, report(test_it=TestResult(status="passed", asserted=9)), graded(PLAIN))

    assert reported == report(test_it=PASSED)


@pytest.mark.parametrize("result", [SKIPPED, EMPTY])
def test_what_fails_or_shows_nothing_with_the_reference_asks_for_nothing(result: TestResult) -> None:
    for of_reference in (FAILED, SKIPPED):
        reported = report(test_it=result)
        fall_short(reported, report(test_it=of_reference), graded(PLAIN))
        assert reported == report(test_it=result)


def test_a_test_that_is_not_there_has_failed() -> None:
    reported = report(test_it=PASSED)

    fall_short(reported, report(test_it=PASSED, test_more=PASSED), graded(PLAIN))

    assert reported.results["test_more"].message == "0 of the 1 tests passed that pass with the reference"


def test_parameters_of_a_test_are_counted_together() -> None:
    reported = report(**{"test_it[a]": PASSED, "test_it[b]": PASSED})

    fall_short(reported, report(**{"test_it[1]": PASSED, "test_it[2]": PASSED}), graded(PLAIN))
    assert {one.status for one in reported.results.values()} == {"passed"}

    fall_short(reported, report(**{f"test_it[{n}]": PASSED for n in range(3)}), graded(PLAIN))
    assert reported.results["test_it"].message == "2 of the 3 tests passed that pass with the reference"
