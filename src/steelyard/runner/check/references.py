"""Check the answers of an eval set: references must pass, wrong and empty answers must fail."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from steelyard.checks.classification.classifier import classified
from steelyard.checks.known_answers import empty_answers
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.checkers import JUDGED_ONLY, Checkers

PASS = Classification.PASS
THREADS = 2
DETAIL_LINES = 12
REASON_LETTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswer:
    """An answer with a known result: a reference, a wrong answer or an empty one."""

    case: Case
    text: str
    name: str = "the reference answer"  # in messages
    must_pass: bool = True
    is_empty: bool = False  # a stub made by us


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer of an eval set with the outcome of its check."""

    answer: KnownAnswer
    outcome: Outcome

    @property
    def is_our_failure(self) -> bool:
        """Whether the check ended in an infrastructure error."""
        return self.outcome.facts.classification is Classification.ERROR

    @property
    def is_as_meant(self) -> bool:
        """Whether a reference passed, or another answer did not."""
        kind, expected_cases = self.outcome.facts.classification, self.answer.case.expected
        return not self.is_our_failure and (kind is expected_cases) is self.answer.must_pass

    @property
    def case(self) -> Case:
        """The case of the answer."""
        return self.answer.case

    @property
    def reason(self) -> str:
        """The reason of an unexpected outcome, in one line."""
        kind = "not checked" if self.is_our_failure else str(self.outcome.facts.classification)
        first = next((line.strip() for line in self.outcome.detail.splitlines() if line.strip()), "")
        return f"{kind}: {first[:REASON_LETTERS]}" if first else kind

    @property
    def problem(self) -> str:
        """The problem, with the first lines of its details."""
        case, kind = self.answer.case, self.outcome.facts.classification
        requested = "must be" if self.answer.must_pass else "must not be"
        detail = "\n".join(f"    {line}" for line in self.outcome.detail.splitlines()[:DETAIL_LINES])
        text = f"case {case.id!r}: {self.answer.name} is classified {kind}, but {requested} {case.expected}"
        return f"{text}\n{detail}" if detail else text


def known_answers(eval_set: EvalSet) -> Iterator[KnownAnswer]:
    """Yield the known answers of a set, except those assessed only by judges."""
    for case in eval_set.cases:
        if case.language == JUDGED_ONLY:
            continue
        if case.reference is not None:
            yield KnownAnswer(case=case, text=case.reference)
        for index, text in enumerate(case.wrong, start=1):
            yield KnownAnswer(case=case, text=text, name=f"wrong answer {index}", must_pass=False)


def empty_answers_of(eval_set: EvalSet) -> Iterator[KnownAnswer]:
    """Yield empty answers for the cases whose tests must reject them."""
    for case in eval_set.cases:
        expectations = case.expectations
        is_tested = case.task is not None or (expectations.has_tests and case.language != JUDGED_ONLY)
        # If a case expects failing tests, a build error or a refusal, an empty answer may be right.
        if not (
            is_tested
            and expectations.should_pass_tests
            and expectations.should_build
            and case.expected is PASS
        ):
            continue
        for name, text in empty_answers(case):
            yield KnownAnswer(case=case, text=text, name=name, must_pass=False, is_empty=True)


def check_references(
    eval_set: EvalSet, checkers: Checkers, *, threads: int = THREADS
) -> Iterator[CheckedAnswer]:
    """Check all answers of a set, in order."""
    return check_answers(
        chain(known_answers(eval_set), empty_answers_of(eval_set)), checkers, threads=threads
    )


def check_answers(
    answers: Iterable[KnownAnswer], checkers: Checkers, *, threads: int = THREADS
) -> Iterator[CheckedAnswer]:
    """Check answers, in order."""

    def checked(answer: KnownAnswer) -> CheckedAnswer:
        outcome = checkers.of(answer.case).check(answer.case, answer.text)
        return CheckedAnswer(answer=answer, outcome=classified(answer.case, outcome, answer.text))

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(checked, answers)
