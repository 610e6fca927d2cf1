"""Find cases with a failing reference, using the run's own workers."""

import asyncio
from collections.abc import Callable, Sequence

from steelyard.runner.check.passed_references import PassedReferences
from steelyard.runner.check.reference_check import ReferenceCheck, in_event_loop
from steelyard.runner.check.references import CheckedAnswer, KnownAnswer
from steelyard.runner.generate.budget import Budget
from steelyard.runner.resources import RunResources
from steelyard.runner.shutdown import children, close_all


def broken_references(
    answers: Sequence[KnownAnswer], resources: RunResources, announce: Callable[[str], None]
) -> list[CheckedAnswer]:
    """Return the failing references; known passing ones are skipped."""
    check = ReferenceCheck(answers, PassedReferences(_sandbox(resources)), announce)
    return in_event_loop(_checked(check, resources)) if check.is_needed else []


async def _checked(check: ReferenceCheck, resources: RunResources) -> list[CheckedAnswer]:
    workers = resources.workers(resources.limiters(), Budget(None, spent=0)).check
    earlier, at_once = children(), False
    try:
        return await check.run(workers)
    except asyncio.CancelledError:  # Ctrl-C
        at_once = resources.settings.engine == "local"
        raise
    finally:
        await close_all([workers.close()], at_once=at_once, kept=earlier)


def _sandbox(resources: RunResources) -> str:
    settings = resources.settings
    return "none" if settings.allow_unsafe else settings.sandbox
