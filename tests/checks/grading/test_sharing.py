"""Equal answers to one case are checked once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from steelyard.checks.grading.sharing import SharingChecker
from steelyard.errors import SandboxError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Facts, Outcome

CASE = Case(id="a", language="text")


class CountingChecker:
    """Passes everything and remembers what it was asked; what is scripted comes first."""

    def __init__(self, *scripted: Classification | Exception) -> None:
        self.asked: list[str] = []
        self._scripted = list(scripted)
        self._lock = threading.Lock()

    def check(self, case: Case, answer: str) -> Outcome:
        with self._lock:
            self.asked.append(answer)
            kind = self._scripted.pop(0) if self._scripted else Classification.PASS
        if isinstance(kind, Exception):
            raise kind
        return Outcome(facts=Facts(classification=kind), check_us=len(self.asked))


def test_an_equal_answer_shares_the_outcome_and_says_so() -> None:
    inner = CountingChecker()
    checker = SharingChecker(inner)

    first, second = checker.check(CASE, "x"), checker.check(CASE, "x")

    assert inner.asked == ["x"]
    assert (first.is_repeat, second) == (False, replace(first, is_repeat=True))
    assert (checker.checked, checker.shared) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        replace(CASE, id="b"),
        replace(CASE, suite="s"),
        replace(CASE, timeout_s=1.0),
        replace(CASE, memory_mb=64),
        replace(CASE, expectations=Expectations(tests="other")),
    ],
)
def test_another_case_shares_nothing(other: Case) -> None:
    inner = CountingChecker()
    checker = SharingChecker(inner)

    checker.check(CASE, "x")

    assert not checker.check(other, "x").is_repeat
    assert len(inner.asked) == 2


def test_it_can_be_switched_off() -> None:
    inner = CountingChecker()
    checker = SharingChecker(inner, enabled=False)

    assert not any(checker.check(CASE, "x").is_repeat for _ in range(3))
    assert (checker.checked, checker.shared) == (3, 0)


def test_our_own_errors_are_never_shared() -> None:
    inner = CountingChecker(Classification.ERROR, SandboxError("gone"))
    checker = SharingChecker(inner)

    assert checker.check(CASE, "x").facts.classification is Classification.ERROR
    with pytest.raises(SandboxError, match="gone"):
        checker.check(CASE, "x")
    assert not checker.check(CASE, "x").is_repeat
    assert checker.check(CASE, "x").is_repeat


def test_many_threads_check_one_answer_once() -> None:
    inner = CountingChecker(Classification.ERROR)
    checker = SharingChecker(inner)

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda number: checker.check(CASE, str(number % 3)), range(300)))

    assert len(inner.asked) == 4  # three answers, and one of them again after the error
    assert sum(not outcome.is_repeat for outcome in found) == 4
    assert checker.checked + checker.shared == 300


def test_only_so_many_outcomes_are_remembered() -> None:
    inner = CountingChecker()
    checker = SharingChecker(inner, remembered=2)

    for answer in "abcabc":
        checker.check(CASE, answer)

    assert inner.asked == list("abcabc")
