"""Honest answers are graded in one process as they are in two."""

import pytest

from tests.checks.python.corpus import TRUTHS, Planted
from tests.checks.python.grader_runtime.conftest import Graded

# Those that print, wait or replace the standard input need a process of their own; so do those that end it.
ELSEWHERE = (
    "printed output",
    "what is complained on the standard error",
    "standard input that the tests have put in place",
    "tests that await",
    "asynchronous context managers",
    "asynchronous iterators, and tasks that outlive a call",
    "threads",
    "forks and answers",
    "a limit on the time of a function of the tests, by a signal",
    "files of the case",
    "parametrized tests in a file of the case",
    "a number of the process that the tests set",
    "shared: writes lines to the channel",
)
HONEST = [
    truth
    for truth in TRUTHS
    if truth.counts is not None
    and truth.ends <= {"pass", "fail"}
    and truth.name not in ELSEWHERE
    and "import pytest" not in truth.tests
    and len(truth.answer) < 10_000
]


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("truth", HONEST, ids=lambda truth: truth.name)
def test_the_facts_are_the_same(truth: Planted, graded: Graded) -> None:
    told = graded(truth)
    statuses = [result.status for result in told.results.values()]
    names = told.names or ["none"] * sum(truth.counts or ())

    assert (told.built, told.is_complete) == (True, True)
    assert truth.counts is not None
    assert statuses.count("passed") == truth.counts[0]
    assert statuses.count("ignored") == truth.counts[2]
    assert len(names) == sum(truth.counts)
