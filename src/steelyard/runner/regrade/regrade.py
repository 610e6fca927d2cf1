"""Check the answers of a run again, after a test, a checker or a tool has changed; nothing is drawn.

New outcomes wait beside the run until all of them are there, so that old and new ones are never mixed, and
whoever is interrupted can go on.
"""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace

from steelyard.model.evalset import EvalSet
from steelyard.model.sample import Sample, text_digest
from steelyard.runner.draw.budget import Budget
from steelyard.runner.judge.judging import JudgingCrew, digest_with_judges
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.pipeline import Runner
from steelyard.runner.plan import Requests
from steelyard.runner.regrade.plan import Regrading
from steelyard.runner.resources import Workshop
from steelyard.runner.session import Progress, Watch, crew_of, interruptible, watched
from steelyard.runner.shutdown import children, close_all
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.store.run.regrade.staged import Form, Regraded
from steelyard.store.run.regrade.staging import Staging, first_answers
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrade:
    """What came of it."""

    checked: int  # answers that were checked again, also by an earlier try that was interrupted
    changes: tuple[Regraded, ...] = ()
    was_stopped: bool = False
    is_in_place: bool = False
    broken: tuple[Regraded, ...] = ()  # checks that broke where there was evidence before


def regrade(
    store: RunStore,
    planned: Regrading,
    workshop: Workshop,
    *,
    watch: Watch,
    allow_errors: bool = False,
) -> Regrade:
    """Check again what is checked in another way now; the run is held for writing.

    The new outcomes count when all of them are there. None counts if checks break that did not before, or if
    a stop rule was followed that would have ended elsewhere by the new outcomes.
    """
    forms = _probed(store, planned, workshop)
    staging = Staging(store, forms, name=_name(planned.eval_set, forms))
    was_stopped = asyncio.run(_checked(staging, store, planned.eval_set, workshop, watch))
    found = tuple(staging.regraded())
    checked = sum(one.samples for one in found)
    broken = tuple(one for one in found if one.now_passed is None and one.was_passed is not None)
    result = Regrade(checked=checked, changes=found, was_stopped=was_stopped, broken=broken)
    is_misled = store.manifest.stop_rule is not None and any(one.has_flipped for one in found)
    if was_stopped or (broken and not allow_errors) or is_misled:
        return result
    if checked or any(form.has_moved for form in forms):
        staging.put_in_place(planned.eval_set)
        store.finish()
    else:
        staging.drop()
    return replace(result, is_in_place=True)


async def _checked(
    staging: Staging, store: RunStore, eval_set: EvalSet, workshop: Workshop, watch: Watch
) -> bool:
    """Check what is left to check; returns whether it was stopped, by the user or for want of a judge."""
    counts = staging.counts()
    tally = Tally({name: SubjectTally(planned=count, drawn=count) for name, count in counts.items()})
    limiters, replies = workshop.limiters(), JudgeReplies(ReplyFiles(store.place))
    budget = Budget(workshop.settings.max_nano_usd, spent=replies.tally.cost_nano_usd)
    crew, before, is_hurried = crew_of(workshop, limiters, budget, replies), children(), False
    requests = Requests(eval_set, store.manifest.subjects)
    runner = Runner(staging.view(), requests, crew, tally)
    runner.halts = crew.halts if isinstance(crew, JudgingCrew) else {}
    progress = Progress(tally=tally, budget=budget, limiters=limiters, runner=runner)
    try:
        with interruptible(runner):
            await watched(runner.run({}, staging.samples()), progress, watch)
    except asyncio.CancelledError:
        if not runner.is_stopping:
            raise
        is_hurried = workshop.settings.engine == "local"
    finally:
        await close_all((crew.close(), workshop.pool.close()), at_once=is_hurried, kept=before)
    return (runner.is_stopping or bool(runner.halted)) and sum(staging.counts().values()) > 0


def _probed(store: RunStore, planned: Regrading, workshop: Workshop) -> list[Form]:
    """Return the forms with the names that their checks have now: one answer to each is checked to see."""
    cases = {(case.suite, case.id): case for case in planned.eval_set.cases}
    same = [form for form in planned.forms if not form.has_moved]
    samples = first_answers(store, same)

    def digest(sample: Sample) -> str | None:
        found = workshop.checking.outcome(cases[sample.suite, sample.case], sample).check_digest
        return digest_with_judges(found, planned.eval_set.judge)

    with ThreadPoolExecutor(workshop.settings.threads, thread_name_prefix="probe") as threads:
        digests = list(threads.map(digest, samples))
    found = {(one.suite, one.case): name for one, name in zip(samples, digests, strict=True)}
    return [replace(form, check_digest=found.get((form.suite, form.case))) for form in planned.forms]


def _name(eval_set: EvalSet, forms: Sequence[Form]) -> str:
    """Return a name for what is done, so that only the same work is ever gone on with."""
    return text_digest(json.dumps([eval_set.digest, [asdict(form) for form in forms]], sort_keys=True))
