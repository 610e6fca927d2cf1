"""Check the answers of a run again, after a test, a checker or a tool has changed; nothing is drawn.

New outcomes are staged beside the run until all of them are there, so old and new ones are never mixed. An
interrupted regrade can go on.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback
from steelyard.model.regrade import RegradeResult
from steelyard.model.sample import Sample, text_digest
from steelyard.runner.check.proof import known_answer
from steelyard.runner.judge.client import digest_with_judges
from steelyard.runner.regrade.plan import RegradePlan, require_all_judged
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.runner.session import run_session
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.runner.unbillable_spend import UnbillableSpend
from steelyard.runner.work import Work
from steelyard.store.run.regrade.staged import CaseForm
from steelyard.store.run.regrade.staging import Staging, first_answers
from steelyard.store.run.run_store import RunStore


def regrade(
    store: RunStore,
    planned: RegradePlan,
    resources: RunResources,
    *,
    progress: ProgressCallback,
    allow_errors: bool = False,
) -> RegradeResult:
    """Check again what is checked in another way now; the run is held for writing.

    The new outcomes replace the old ones when all of them are there. None is replaced if checks break that
    did not before, if a score or a judged rate is lost, or if the run's stop rule would have ended elsewhere
    by the new outcomes. Other judges must judge every answer of the run, or none is asked.
    """
    require_all_judged(store, planned)
    forms = _probed(store, planned, resources)
    staging = Staging(store, forms, name=_name(planned.eval_set, forms), keeps_unrated=allow_errors)
    session = run_session(_work(staging, store, planned.eval_set), resources, progress)
    # A judge that cannot be called ends a regrade too.
    was_stopped = not session.is_complete and sum(staging.counts().values()) > 0
    found = tuple(staging.regraded())
    checked = sum(one.samples for one in found)
    broken = tuple(one for one in found if one.is_broken)
    lost = tuple(one for one in found if one.lost and not one.is_broken)
    result = RegradeResult(checked=checked, changes=found, was_stopped=was_stopped, broken=broken, lost=lost)
    is_misled = store.manifest.stop_rule is not None and any(one.has_flipped for one in found)
    if was_stopped or ((broken or lost) and not allow_errors) or is_misled:
        return result
    if checked or any(form.has_moved for form in forms):
        staging.apply(planned.eval_set)
        store.finish()
    else:
        staging.drop()
    return replace(result, is_in_place=True)


def _work(staging: Staging, store: RunStore, eval_set: EvalSet) -> Work:
    """Return the answers that are still to be checked; nothing is drawn."""
    counts = staging.counts()
    return Work(
        store=staging.view(),
        eval_set=eval_set,
        requests=Requests(eval_set, store.manifest.subjects),
        undrawn={},
        unchecked=staging.samples(),
        tally=Tally({name: SubjectTally(planned=count, drawn=count) for name, count in counts.items()}),
        unbillable=UnbillableSpend(store.location),
    )


def _probed(store: RunStore, planned: RegradePlan, resources: RunResources) -> list[CaseForm]:
    """Return the forms with the digests that their checks have now, found by checking a known answer to each.

    Not an answer of a model: what it does to its check must not decide whether others are checked again.
    """
    cases = {(case.suite, case.id): case for case in planned.eval_set.cases}
    same = [form for form in planned.forms if not form.has_moved]
    samples = first_answers(store, same)

    def digest(sample: Sample) -> str | None:
        case = cases[sample.suite, sample.case]
        found = resources.checking.outcome(case, replace(sample, text=known_answer(case))).check_digest
        return digest_with_judges(found, planned.eval_set.judge)

    with ThreadPoolExecutor(resources.settings.threads, thread_name_prefix="probe") as threads:
        digests = list(threads.map(digest, samples))
    found = {(one.suite, one.case): name for one, name in zip(samples, digests, strict=True)}
    return [replace(form, check_digest=found.get((form.suite, form.case))) for form in planned.forms]


def _name(eval_set: EvalSet, forms: Sequence[CaseForm]) -> str:
    """Return a name for the work, so an interrupted regrade goes on only with the same work."""
    return text_digest(json.dumps([eval_set.digest, [asdict(form) for form in forms]], sort_keys=True))
