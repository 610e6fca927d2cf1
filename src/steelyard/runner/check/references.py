"""Check the answers that an eval set contains: each reference must pass, and each wrong answer must fail."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from steelyard.checks.classifier import classified
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.checkers import JUDGED_ONLY, Checkers

THREADS = 2
DETAIL_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtAnswer:
    """An answer of an eval set: the reference of a case, or a wrong answer, counted from 1."""

    case: Case
    text: str
    wrong: int | None = None

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "the reference answer" if self.wrong is None else f"wrong answer {self.wrong}"


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
        """Whether a reference passed, or a wrong answer did not."""
        kind, wanted = self.outcome.facts.classification, self.answer.case.expected
        return not self.is_our_failure and (kind is wanted) is (self.answer.wrong is None)

    @property
    def problem(self) -> str:
        """What is wrong, and the first lines of why."""
        case, kind = self.answer.case, self.outcome.facts.classification
        wanted = "must be" if self.answer.wrong is None else "must not be"
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
            yield BroughtAnswer(case=case, text=text, wrong=place)


def check_references(
    eval_set: EvalSet, checkers: Checkers, *, threads: int = THREADS
) -> Iterator[CheckedAnswer]:
    """Check all answers of a set, in order."""

    def checked(answer: BroughtAnswer) -> CheckedAnswer:
        outcome = checkers.of(answer.case.language).check(answer.case, answer.text)
        return CheckedAnswer(answer=answer, outcome=classified(answer.case, outcome, answer.text))

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(checked, brought_answers(eval_set))
