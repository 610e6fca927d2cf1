"""Say, without running anything, whether the answers to a case can reach what grades them.

One table for all checkers of ours, so that a run can refuse a case before it draws answers to it. An outcome
has the mode in which its checker grades its case, also where no code was found in the answer.
"""

from collections.abc import Callable, Mapping

from steelyard.model.case import Case
from steelyard.model.outcome import Isolation

APART_FORMS = frozenset({"io"})  # `settings.tests`: forms whose expected values never enter the sandbox


def isolation_of(checker: str, case: Case) -> Isolation | None:
    """Return how a checker grades a case; None for plug-ins, whose outcomes may say it, and for judges.

    >>> isolation_of("text", Case(id="a", language="text"))
    <Isolation.APART: 'apart'>
    """
    rule = _RULES.get(checker)
    return None if rule is None else rule(case)


def _python(case: Case) -> Isolation:
    return case.expectations.isolation or Isolation.APART


def _rust(case: Case) -> Isolation:
    # Tests are built with the answer and call it in their own process, where it may write to any memory.
    # Without tests the compiler and the linter decide, and nothing of the answer is run.
    return Isolation.SHARED if case.expectations.tests.strip() else Isolation.APART


def _command(case: Case) -> Isolation:
    # The test framework of a language loads the answer into its own process, whatever way results come back:
    # the secret of a channel, a file and an exit code are all within reach of a hostile answer.
    by_io = case.expectations.settings.get("tests") in APART_FORMS
    return Isolation.APART if by_io else Isolation.SHARED


def _terraform(case: Case) -> Isolation:
    # Validation runs nothing of the answer, and Terraform decides. `terraform test` has the tests beside the
    # answer and applies it: only our reading of its text keeps it from starting programs and from reading
    # the tests, which is too little for a promise.
    return Isolation.SHARED if case.expectations.tests.strip() else Isolation.APART


def _compared_outside(case: Case) -> Isolation:
    del case  # what is expected never enters the sandbox, and an answer that is text is never run
    return Isolation.APART


# `custom_check` changes none of these: a command of the case's author reads the answer and does not run it.
_RULES: Mapping[str, Callable[[Case], Isolation]] = {
    "python": _python,
    "rust": _rust,
    "command": _command,
    "terraform": _terraform,
    "text": _compared_outside,
    "calls": _compared_outside,
    "io": _compared_outside,
}
