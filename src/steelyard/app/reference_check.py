"""Check references before generation: stop the run, or exclude failing cases."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from steelyard.app.run_plan import PlannedRun
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.run import ExcludedCase
from steelyard.render.excluded import excluded_cases
from steelyard.runner.broken_references import broken_references
from steelyard.runner.check.reference_check import references_of
from steelyard.runner.check.references import CheckedAnswer, KnownAnswer
from steelyard.runner.exclusion import exclude_cases
from steelyard.runner.resources import RunResources

Notify = Callable[[str], None]
CASES_SHOWN = 5


def with_passing_references(
    planned: PlannedRun, resources: RunResources, *, notify: Notify, announce: Notify
) -> PlannedRun:
    """Return the plan, with `skip_broken` without the cases whose reference fails.

    Raises an error if a reference fails or cannot be checked.
    """
    if not planned.settings.check_references:
        return planned
    broken = broken_references(_unfinished(planned), resources, announce)
    if not broken:
        return planned
    _require_checked(planned, broken)
    if not planned.settings.skip_broken:
        raise InputError(_message(planned, broken, "correct them, or exclude their cases: `skip_broken`"))
    _require_new(planned, broken)
    excluded = tuple(
        ExcludedCase(suite=checked.case.suite, case=checked.case.id, reason=checked.reason)
        for checked in broken
    )
    plan = exclude_cases(planned.plan, excluded)
    if not plan.cases:
        raise InputError(_message(planned, broken, "no case is left"))
    notify(excluded_cases(excluded))
    return replace(planned, plan=plan)


def _unfinished(planned: PlannedRun) -> list[KnownAnswer]:
    """Select references of cases with samples left to generate or check."""
    answers = references_of(planned.plan.eval_set)
    if planned.store is None:
        return answers
    done, plan = planned.store.case_progress(), planned.plan

    def is_unfinished(answer: KnownAnswer) -> bool:
        case = answer.case
        names = (
            (
                plan.samples_of(subject),
                done.get((subject.model, subject.tier, case.suite, case.id, case.digest)),
            )
            for subject in plan.subjects
        )
        return any(name is None or name.evidence < samples for samples, name in names)

    return [answer for answer in answers if is_unfinished(answer)]


def _require_checked(planned: PlannedRun, broken: Sequence[CheckedAnswer]) -> None:
    """Raise an infrastructure error if that is all that went wrong, and not for lack of a set-up."""
    if all(checked.is_our_failure and not checked.outcome.needs_setup for checked in broken):
        raise InfrastructureError(_message(planned, broken, "`steelyard doctor` examines this machine"))


def _require_new(planned: PlannedRun, broken: Sequence[CheckedAnswer]) -> None:
    """Refuse to exclude cases that a resumed run has already."""
    if planned.manifest is None:
        return
    known = {(case.suite, case.case) for case in planned.manifest.current_cases()}
    if present := [checked for checked in broken if (checked.case.suite, checked.case.id) in known]:
        advice = "a resumed run keeps its cases: correct them, or leave the check out: `no_reference_check`"
        raise InputError(_message(planned, present, advice))


def _message(planned: PlannedRun, broken: Sequence[CheckedAnswer], advice: str) -> str:
    count, name = len(broken), planned.plan.eval_set.id
    lines = [f"  case {item.case.id}: {item.reason}" for item in broken[:CASES_SHOWN]]
    more = [f"  and {count - CASES_SHOWN} more"] if count > CASES_SHOWN else []
    what = "1 reference does" if count == 1 else f"{count} references do"
    return "\n".join([f"{name}: {what} not pass; nothing was generated:", *lines, *more, advice])
