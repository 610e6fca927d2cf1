"""An error is ours only if a known answer's check breaks too."""

from collections.abc import Callable

import pytest

from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.proof import OWN_DOING, PROBES, known_answer, proven
from steelyard.runner.tally import SubjectTally, Tally
from tests.runner.broken import BrokenSandbox

CASE = Case(id="a", language="python", reference="the reference")
ERROR = Outcome(facts=Facts(classification=Classification.ERROR), detail="no such folder")
FAIL = Outcome(facts=Facts(classification=Classification.FAIL))


def answers(*outcomes: Outcome) -> Callable[[str], Outcome]:
    """Return a check that gives one outcome after the other, and fails a test that asks once too often."""
    left = list(outcomes)
    return lambda _: left.pop(0)


def test_an_answer_that_breaks_only_its_own_check_fails() -> None:
    found = proven(CASE, "bad", answers(ERROR, ERROR), answers(FAIL))

    assert found.facts == Facts(classification=Classification.CRASH, passed=False)
    assert found.detail == f"{OWN_DOING}\nno such folder"
    assert found.broke_its_check


def test_an_error_that_a_known_answer_meets_too_is_ours() -> None:
    assert proven(CASE, "good", answers(ERROR), answers(ERROR)) is ERROR


def test_an_error_that_goes_away_by_itself_is_nobodys() -> None:
    assert proven(CASE, "good", answers(ERROR, FAIL), answers(FAIL)) is FAIL


def test_a_check_that_works_is_made_once() -> None:
    assert proven(CASE, "good", answers(FAIL), answers()) is FAIL


def test_the_reference_of_the_case_is_the_known_answer() -> None:
    assert known_answer(CASE) == "the reference"


@pytest.mark.parametrize("language", [*PROBES, "lua", "text"])
def test_there_is_a_known_answer_where_a_case_has_no_reference(language: str) -> None:
    assert "probe" in known_answer(Case(id="a", language=language)).lower()


def test_a_broken_sandbox_stays_our_own_error() -> None:
    case = Case(id="a", language="c", expectations=Expectations(tests="TEST(a) { CHECK(1); }"))
    sample = Sample(
        model="m", tier="T0", suite="s", case="a", digest="d", attempt=0, text="```c\nint a;\n```"
    )

    found = Checking(BrokenSandbox()).outcome(case, sample)

    assert found.facts.classification is Classification.ERROR
    assert "the sandbox is broken" in found.detail


def test_answers_that_broke_their_check_are_counted() -> None:
    sample = Sample(model="m", tier="T0", suite="s", case="a", digest="d", attempt=0, text="")
    tally = Tally({("m", "T0"): SubjectTally(planned=1)})

    tally.add_outcome(sample, proven(CASE, "bad", answers(ERROR, ERROR), answers(FAIL)), passed=False)

    counts = tally.snapshot()["m", "T0"]
    assert (counts.broke_their_check, counts.checked, counts.errored) == (1, 1, 0)
