"""Check the answers of an eval set: references must pass, wrong and empty answers must fail."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from steelyard.checks.classifier import classified
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.checkers import JUDGED_ONLY, Checkers
from steelyard.runner.check.stubs import empty_answers

PASS = Classification.PASS
THREADS = 2
DETAIL_LINES = 12
REASON_LETTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtAnswer:
    """An answer of an eval set: the reference of a case, a wrong answer, or one of ours that does nothing."""

    case: Case
    text: str
    name: str = "the reference answer"  # in messages
    must_pass: bool = True
    is_empty: bool = False  # one of ours


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer of an eval set with the outcome of its check."""

    answer: BroughtAnswer
    outcome: Outcome

    @property
    def is_our_failure(self) -> bool:
        """Whether the check ended in an infrastructure error, which says nothing about the set."""
        return self.outcome.facts.classification is Classification.ERROR

    @property
    def is_as_meant(self) -> bool:
        """Whether a reference passed, or another answer did not."""
        kind, wanted = self.outcome.facts.classification, self.answer.case.expected
        return not self.is_our_failure and (kind is wanted) is self.answer.must_pass

    @property
    def case(self) -> Case:
        """The case of the answer."""
        return self.answer.case

    @property
    def reason(self) -> str:
        """Why it did not end as meant, in one line."""
        kind = "not checked" if self.is_our_failure else str(self.outcome.facts.classification)
        first = next((line.strip() for line in self.outcome.detail.splitlines() if line.strip()), "")
        return f"{kind}: {first[:REASON_LETTERS]}" if first else kind

    @property
    def problem(self) -> str:
        """What is wrong, and the first lines of why."""
        case, kind = self.answer.case, self.outcome.facts.classification
        wanted = "must be" if self.answer.must_pass else "must not be"
        detail = "\n".join(f"    {line}" for line in self.outcome.detail.splitlines()[:DETAIL_LINES])
        said = f"case {case.id!r}: {self.answer.name} is classified {kind}, but {wanted} {case.expected}"
        return f"{said}\n{detail}" if detail else said


def brought_answers(eval_set: EvalSet) -> Iterator[BroughtAnswer]:
    """Return every answer of a set, except those that only judges assess."""
    for case in eval_set.cases:
        if case.language == JUDGED_ONLY:
            continue
        if case.reference is not None:
            yield BroughtAnswer(case=case, text=case.reference)
        for place, text in enumerate(case.wrong, start=1):
            yield BroughtAnswer(case=case, text=text, name=f"wrong answer {place}", must_pass=False)


def empty_answers_of(eval_set: EvalSet) -> Iterator[BroughtAnswer]:
    """Return answers that do nothing, for every case whose tests must fail them."""
    for case in eval_set.cases:
        asked = case.expectations
        is_tested = asked.has_tests and case.language != JUDGED_ONLY
        # Where failing the tests, not building or refusing is right, doing nothing may be right too.
        if not (is_tested and asked.should_pass_tests and asked.should_build and case.expected is PASS):
            continue
        for name, text in empty_answers(case):
            yield BroughtAnswer(case=case, text=text, name=name, must_pass=False, is_empty=True)


def check_references(
    eval_set: EvalSet, checkers: Checkers, *, threads: int = THREADS
) -> Iterator[CheckedAnswer]:
    """Check all answers of a set, in order."""
    return check_answers(
        chain(brought_answers(eval_set), empty_answers_of(eval_set)), checkers, threads=threads
    )


def check_answers(
    answers: Iterable[BroughtAnswer], checkers: Checkers, *, threads: int = THREADS
) -> Iterator[CheckedAnswer]:
    """Check answers, in order."""

    def checked(answer: BroughtAnswer) -> CheckedAnswer:
        outcome = checkers.of(answer.case).check(answer.case, answer.text)
        return CheckedAnswer(answer=answer, outcome=classified(answer.case, outcome, answer.text))

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(checked, answers)
