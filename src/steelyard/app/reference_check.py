"""Check references before generation: stop the run, or exclude failing cases."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from steelyard.app.run_plan import PlannedRun
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.run import ExcludedCase
from steelyard.render.run_progress import excluded_cases
from steelyard.runner.check.passed_references import PassedReferences
from steelyard.runner.check.reference_check import ReferenceCheck, in_event_loop, references_of
from steelyard.runner.check.references import CheckedAnswer, KnownAnswer
from steelyard.runner.generate.budget import Budget
from steelyard.runner.resources import RunResources
from steelyard.runner.selection import exclude_cases
from steelyard.runner.shutdown import children, close_all

Notify = Callable[[str], None]
CASES_SHOWN = 5


def with_passing_references(
    planned: PlannedRun, resources: RunResources, *, notify: Notify, announce: Notify
) -> PlannedRun:
    """Check the references of a plan; `skip_broken` excludes cases whose reference fails.

    Raises an error if a reference fails or cannot be checked.
    """
    if not planned.settings.check_references:
        return planned
    broken = broken_references(_select_unfinished(planned), resources, announce)
    if not broken:
        return planned
    _require_checked(planned, broken)
    if not planned.settings.skip_broken:
        raise InputError(_format_failures(planned, broken, "correct them, or use `skip_broken`"))
    _require_new(planned, broken)
    excluded = tuple(
        ExcludedCase(suite=checked.case.suite, case=checked.case.id, reason=checked.reason)
        for checked in broken
    )
    plan = exclude_cases(planned.plan, excluded)
    if not plan.cases:
        raise InputError(_format_failures(planned, broken, "no case is left"))
    notify(excluded_cases(excluded))
    return replace(planned, plan=plan)


def _select_unfinished(planned: PlannedRun) -> list[KnownAnswer]:
    """Select references of cases with samples left to generate or check."""
    answers = references_of(planned.plan.eval_set)
    if planned.store is None:
        return answers
    done, plan = planned.store.case_progress(), planned.plan

    def is_unfinished(answer: KnownAnswer) -> bool:
        case = answer.case
        for subject in plan.subjects:
            progress = done.get((subject.model, subject.tier, case.suite, case.id, case.digest))
            if progress is None or progress.evidence < plan.samples_of(subject):
                return True
        return False

    return [answer for answer in answers if is_unfinished(answer)]


def _require_checked(planned: PlannedRun, broken: Sequence[CheckedAnswer]) -> None:
    """Raise an InfrastructureError if all failures are ours and none needs a set-up."""
    if all(checked.is_our_failure and not checked.outcome.needs_setup for checked in broken):
        raise InfrastructureError(_format_failures(planned, broken, "run `steelyard doctor`"))


def _require_new(planned: PlannedRun, broken: Sequence[CheckedAnswer]) -> None:
    """Reject excluding cases that a resumed run already has."""
    if planned.manifest is None:
        return
    existing = {(case.suite, case.case) for case in planned.manifest.current_cases()}
    if present := [checked for checked in broken if (checked.case.suite, checked.case.id) in existing]:
        advice = "a resumed run keeps its cases: correct them, or use `no_reference_check`"
        raise InputError(_format_failures(planned, present, advice))


def _format_failures(planned: PlannedRun, broken: Sequence[CheckedAnswer], advice: str) -> str:
    count, name = len(broken), planned.plan.eval_set.id
    lines = [f"  case {checked.case.id}: {checked.reason}" for checked in broken[:CASES_SHOWN]]
    more = [f"  and {count - CASES_SHOWN} more"] if count > CASES_SHOWN else []
    what = "1 reference does" if count == 1 else f"{count} references do"
    return "\n".join([f"{name}: {what} not pass; nothing was generated:", *lines, *more, advice])


def broken_references(
    answers: Sequence[KnownAnswer], resources: RunResources, announce: Callable[[str], None]
) -> list[CheckedAnswer]:
    """Return the failing references; known passing ones are skipped."""
    check = ReferenceCheck(answers, PassedReferences(_name_sandbox(resources)), announce)
    return in_event_loop(_check_references(check, resources)) if check.is_needed else []


async def _check_references(check: ReferenceCheck, resources: RunResources) -> list[CheckedAnswer]:
    workers = resources.workers(resources.limiters(), Budget(None, spent=0)).check
    earlier, at_once = children(), False
    try:
        return await check.run(workers)
    except asyncio.CancelledError:  # Ctrl-C
        at_once = resources.settings.engine == "local"
        raise
    finally:
        await close_all([workers.close()], at_once=at_once, kept=earlier)


def _name_sandbox(resources: RunResources) -> str:
    settings = resources.settings
    return "none" if settings.allow_unsafe else settings.sandbox
