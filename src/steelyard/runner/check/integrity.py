"""Reject cases whose grades would have less integrity than required, before any answer is generated."""

from collections.abc import Iterable

from steelyard.checks.preparation import integrity_of
from steelyard.errors import InputError, UserError
from steelyard.model.case import Case
from steelyard.model.members import member
from steelyard.model.outcome import Integrity
from steelyard.runner.check.checkers import JUDGED_ONLY, checker_of

NAMES_SHOWN = 20


def case_integrity(case: Case) -> Integrity | None:
    """Return the integrity of a case's grades; None for judges and plug-in checkers."""
    is_judged_only = case.language == JUDGED_ONLY
    return None if is_judged_only else integrity_of(checker_of(case), case)


def require_case_integrity(
    cases: Iterable[Case], least: Integrity | None, *, allow_unsafe: bool = False
) -> None:
    """Reject cases whose integrity is lower than required or unknown."""
    if least is None:
        return
    least = member(Integrity, least, option="require_integrity")
    if allow_unsafe:
        raise UserError("without a sandbox integrity is unknown; use one, or leave `require_integrity` out")
    graded = [(case.id, case_integrity(case)) for case in cases if not case.honeypot]
    short = [
        f"  {case!r}: {integrity or 'unknown'}"
        for case, integrity in graded
        if integrity is None or not integrity.is_at_least(least)
    ]
    if short:
        more = [f"  and {len(short) - NAMES_SHOWN} more"] if len(short) > NAMES_SHOWN else []
        lines = "\n".join([*short[:NAMES_SHOWN], *more])
        raise InputError(
            f"`require_integrity={least}`: {len(short)} of {len(graded)} cases have less:\n{lines}\n"
            "state expected values as `calls` or `io`, which are sealed, or leave `require_integrity` out"
        )
