"""Find cases whose answers would be graded with less isolation than wanted, before any answer is drawn."""

from collections.abc import Iterable

from steelyard.checks.isolation import isolation_of
from steelyard.errors import InputError, UserError
from steelyard.model.case import Case
from steelyard.model.members import member
from steelyard.model.outcome import Isolation
from steelyard.runner.check.checkers import JUDGED_ONLY, checker_name, form_of

NAMES_SHOWN = 20
APART_FORMS = "grade a case by `calls` or `io`, whose expected values stay out of the answer's reach"


def case_isolation(case: Case) -> Isolation | None:
    """Return how the answers to a case are graded; None for judges and for checkers that are plug-ins."""
    is_judged_only = case.language == JUDGED_ONLY
    return None if is_judged_only else isolation_of(form_of(case) or checker_name(case.language), case)


def isolation_problems(cases: Iterable[Case]) -> list[str]:
    """Say which cases name an isolation that their check does not have."""
    return [problem for case in cases if (problem := _problem(case)) is not None]


def require_case_isolation(
    cases: Iterable[Case], wanted: Isolation | None, *, allow_unsafe: bool = False
) -> None:
    """Refuse cases that would be graded with less isolation than wanted, or an unknown one."""
    if wanted is None:
        return
    wanted = member(Isolation, wanted, option="require_isolation")
    if allow_unsafe:
        raise UserError(
            "without a sandbox nothing is known of a grade's isolation; "
            "use one, or leave `require_isolation` out"
        )
    enough = {Isolation.APART, wanted}
    found = [(case.id, case_isolation(case)) for case in cases if not case.honeypot]
    short = [f"  {case!r}: {mode or 'unknown'}" for case, mode in found if mode not in enough]
    if short:
        more = [f"  and {len(short) - NAMES_SHOWN} more"] if len(short) > NAMES_SHOWN else []
        lines = "\n".join([*short[:NAMES_SHOWN], *more])
        raise InputError(
            f"`require_isolation={wanted}`: {len(short)} of {len(found)} cases are not graded so:\n{lines}\n"
            f"{APART_FORMS}, or do without `require_isolation`"
        )


def _problem(case: Case) -> str | None:
    wanted, found = case.expectations.isolation, case_isolation(case)
    if wanted is None or found is None or found is wanted:
        return None
    if wanted is Isolation.APART:
        return (
            f"case {case.id!r}: tests of {case.language} run in one process with the answer, so "
            f"isolation = 'apart' cannot be kept; {APART_FORMS}, or leave `isolation` out"
        )
    return f"case {case.id!r}: isolation = 'shared' is for tests of Python; leave it out here"
