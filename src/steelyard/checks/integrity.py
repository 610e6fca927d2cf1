"""Return the integrity of a case's grades before anything is run.

One table for all built-in checkers: a run can reject a case before it pays for answers. A checker that learns
more from the run itself sets a better value in its outcome.
"""

from collections.abc import Callable, Mapping

from steelyard.checks.python.evidence import seal_case
from steelyard.checks.python.job import read_tests
from steelyard.model.case import Case
from steelyard.model.outcome import Integrity

SEALED_FORMS = frozenset({"io"})  # `settings.tests`: forms whose expected values never enter the sandbox


def integrity_of(checker: str, case: Case) -> Integrity | None:
    """Return how far a checker's grades can be trusted; None for plug-ins and judges.

    >>> integrity_of("text", Case(id="a", language="text"))
    <Integrity.SEALED: 'sealed'>
    """
    rule = _RULES.get(checker)
    return None if rule is None else rule(case)


def _python(case: Case) -> Integrity:
    return seal_case(read_tests(case)).count().integrity


def _in_the_answers_process(case: Case) -> Integrity:
    # A test framework loads the answer into its own process; `terraform test` applies it. Without tests the
    # compiler, linter or validator decides.
    return Integrity.OPEN if case.expectations.tests.strip() else Integrity.SEALED


def _command(case: Case) -> Integrity:
    by_io = case.expectations.settings.get("tests") in SEALED_FORMS
    return Integrity.SEALED if by_io else _in_the_answers_process(case)


def _compared_outside(case: Case) -> Integrity:
    del case
    return Integrity.SEALED


# `custom_check` changes none of these: a command of the case's author reads the answer and does not run it.
_RULES: Mapping[str, Callable[[Case], Integrity]] = {
    "python": _python,
    "rust": _in_the_answers_process,
    "command": _command,
    "terraform": _in_the_answers_process,
    "text": _compared_outside,
    "calls": _compared_outside,
    "io": _compared_outside,
}
