"""What tests show of an answer is held against what they show of the reference."""

import pytest

from steelyard.checks.python.job import Tests, read_tests
from steelyard.checks.python.shortfall import fall_short, is_doubtful
from steelyard.checks.python.transcript import TestResult, Transcript
from steelyard.model.case import Case, Expectations

PASSED, SKIPPED = TestResult(status="passed", asserted={"1": 1}), TestResult(status="ignored")
PLAIN = "def test_it():\n    assert f() == 1\n"
LOOP = "for x in f():\n    assert x\nassert f()\n"


def graded(source: str) -> Tests:
    return read_tests(Case(id="x", language="python", expectations=Expectations(tests=source)))


def report(*, outside: TestResult = PASSED, **results: TestResult) -> Transcript:
    return Transcript(results=results, outside=outside)


@pytest.mark.parametrize(
    ("source", "reported"),
    [
        (PLAIN, report(test_it=SKIPPED)),
        (PLAIN, report(test_it=TestResult(status="passed"))),
        (PLAIN, report(test_it=TestResult(status="passed", asserted={"2": 1}, caught=1))),
        (LOOP, report(outside=TestResult(status="passed"))),
        (f"import pytest\n{PLAIN}", report(test_it=PASSED)),
        (f"if f:\n    def test_more(): pass\n{PLAIN}", report(test_it=PASSED)),
    ],
)
def test_what_may_show_less_than_it_should_is_doubtful(source: str, reported: Transcript) -> None:
    assert is_doubtful(graded(source), reported)


def test_plain_tests_that_assert_something_need_no_reference() -> None:
    assert not is_doubtful(graded(PLAIN), report(test_it=PASSED))


def test_an_answer_that_comes_as_far_as_the_reference_keeps_its_results() -> None:
    reported, reference = report(test_it=SKIPPED), report(test_it=SKIPPED)

    fall_short(reported, reference, graded(PLAIN))

    assert reported == reference


def test_parameters_of_a_test_are_counted_together() -> None:
    reported = report(**{"test_it[a]": PASSED, "test_it[b]": PASSED})

    fall_short(reported, report(**{"test_it[1]": PASSED, "test_it[2]": PASSED}), graded(PLAIN))
    assert {one.status for one in reported.results.values()} == {"passed"}

    fall_short(reported, report(**{f"test_it[{n}]": PASSED for n in range(3)}), graded(PLAIN))
    assert reported.results["test_it"].message == "2 of the 3 tests passed that pass with the reference"


def test_what_stands_outside_of_tests_and_is_cut_fails_as_a_set_up() -> None:
    reported = report(outside=TestResult(status="passed"))

    fall_short(reported, report(), graded(LOOP))

    assert reported.setup_error == "met 0 of the 1 assertions that the reference meets"
