"""Check the answers of a run again, after a change of tests, checkers or tools.

New outcomes are staged beside the run until they are complete, so old and new ones never mix. An interrupted
regrade can be resumed.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

from steelyard.checks.known_answers import known_answer
from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback
from steelyard.model.regrade import RegradeResult
from steelyard.model.sample import Sample, text_digest
from steelyard.runner.judge.client import digest_with_judges
from steelyard.runner.regrade.plan import RegradePlan, require_all_judged
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.runner.session import run_session
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.runner.work import UnbillableSpend, Work
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
    """Regrade the cases with a changed check; the run is held for writing.

    The new outcomes replace the old ones once complete. Nothing is replaced if new infrastructure errors
    occur, if a score or a judged rate is lost, or if the stop rule would have decided differently. Changed
    judges must judge every answer.
    """
    require_all_judged(store, planned)
    forms = _with_digests(store, planned, resources)
    staging = Staging(store, forms, name=_name_regrade(planned.eval_set, forms), keeps_unrated=allow_errors)
    session = run_session(_make_work(staging, store, planned.eval_set), resources, progress)
    # An unavailable judge ends a regrade too.
    was_stopped = not session.is_complete and sum(staging.counts().values()) > 0
    results = tuple(staging.regraded())
    checked = sum(item.samples for item in results)
    broken = tuple(item for item in results if item.is_broken)
    lost = tuple(item for item in results if item.lost and not item.is_broken)
    result = RegradeResult(
        checked=checked,
        changes=results,
        was_stopped=was_stopped,
        was_interrupted=session.was_stopped,
        broken=broken,
        lost=lost,
    )
    is_misled = store.manifest.stop_rule is not None and any(item.has_flipped for item in results)
    if was_stopped or ((broken or lost) and not allow_errors) or is_misled:
        return result
    if checked or any(form.has_moved for form in forms):
        staging.apply(planned.eval_set)
        store.finish()
    else:
        staging.drop()
    return replace(result, is_in_place=True)


def _make_work(staging: Staging, store: RunStore, eval_set: EvalSet) -> Work:
    """Return the work of a regrade: checks only."""
    counts = staging.counts()
    return Work(
        store=staging.view(),
        eval_set=eval_set,
        requests=Requests(eval_set, store.manifest.subjects),
        pending={},
        unchecked=staging.samples(),
        tally=Tally({name: SubjectTally(planned=count, generated=count) for name, count in counts.items()}),
        unbillable=UnbillableSpend(store.location),
    )


def _with_digests(store: RunStore, planned: RegradePlan, resources: RunResources) -> list[CaseForm]:
    """Return the forms with their current check digests, from checking a known answer each.

    A model's answer could influence its check, and thereby which answers are regraded.
    """
    cases = {(case.suite, case.id): case for case in planned.eval_set.cases}
    same = [form for form in planned.forms if not form.has_moved]
    samples = first_answers(store, same)

    def digest(sample: Sample) -> str | None:
        case = cases[sample.suite, sample.case]
        check_digest = resources.checking.outcome(case, replace(sample, text=known_answer(case))).check_digest
        return digest_with_judges(check_digest, planned.eval_set.judge)

    with ThreadPoolExecutor(resources.settings.threads, thread_name_prefix="probe") as threads:
        digests = list(threads.map(digest, samples))
    result = {(sample.suite, sample.case): name for sample, name in zip(samples, digests, strict=True)}
    return [replace(form, check_digest=result.get((form.suite, form.case))) for form in planned.forms]


def _name_regrade(eval_set: EvalSet, forms: Sequence[CaseForm]) -> str:
    """Return an identifier of the work: only the same regrade is resumed."""
    return text_digest(json.dumps([eval_set.digest, [asdict(form) for form in forms]], sort_keys=True))
