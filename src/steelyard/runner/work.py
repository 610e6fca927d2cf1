"""What a session does: the samples it generates and checks, and where it commits them."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Subject
from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.feedback import Feedback
from steelyard.runner.requests import Requests
from steelyard.runner.stop_rule_scheduler import StopRuleScheduler
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.store.run.location import Location
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend

SPEND_EVERY_S = 5.0  # between two writes of unbillable spend; a kill loses at most this much


# A failed call that may be billed has no row; without its spend, a resumed run could exceed its budget.
class UnbillableSpend:
    """The spend of failed calls, in nano-USD."""

    def __init__(self, location: Location) -> None:
        """Read what earlier sessions have left."""
        self.nano_usd = read_unbillable_spend(location)
        self._location = location
        self._next = time.monotonic() + SPEND_EVERY_S

    def keep(self, nano_usd: int, *, at_end: bool) -> None:
        """Write the sum if it has changed: at the end, or if the last time is a while ago."""
        if at_end or time.monotonic() >= self._next:
            self._next = time.monotonic() + SPEND_EVERY_S
            if nano_usd != self.nano_usd:
                write_unbillable_spend(self._location, nano_usd)
                self.nano_usd = nano_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The work of one session: a run generates and checks, a regrade only checks."""

    store: RunStore  # samples and outcomes are committed here
    eval_set: EvalSet
    requests: Requests
    pending: Mapping[str, Iterator[SampleKey]]  # by provider
    unchecked: Iterable[Sample]
    tally: Tally
    scheduler: StopRuleScheduler | None = None  # None: everything pending is generated
    unbillable: UnbillableSpend | None = None
    feedback: Feedback | None = None  # None: all tries have the same prompt


def work_of_run(store: RunStore, eval_set: EvalSet) -> Work:
    """Return what is left of a run that is held for writing."""
    feedback = Feedback.of_run(store) if eval_set.sampling.feedback else None
    requests = Requests(eval_set, store.manifest.subjects, feedback)
    pending = _pending_keys(store, requests)
    return Work(
        store=store,
        eval_set=eval_set,
        requests=requests,
        pending=pending,
        unchecked=store.unchecked(),
        tally=tally_of(store),
        scheduler=_scheduler(store, pending.values(), requests),
        unbillable=UnbillableSpend(store.location),
        feedback=feedback,
    )


def _pending_keys(store: RunStore, requests: Requests) -> dict[str, Iterator[SampleKey]]:
    """Return what is left to generate; a case that the eval set lacks, as in an import, stays as it is."""
    subjects: dict[str, list[Subject]] = {}
    for subject in store.manifest.subjects:
        subjects.setdefault(requests.provider_of(subject.model, subject.tier), []).append(subject)

    def known(some: Sequence[Subject]) -> Iterator[SampleKey]:
        return (key for key in store.pending(some) if requests.case_of(key) is not None)

    def keys(some: Sequence[Subject]) -> Iterator[SampleKey]:
        models = {subject.model for subject in some}
        if len(models) == 1 or store.manifest.stop_rule is not None:  # by a stop rule, the scheduler decides
            return known(some)
        # Each model is called once before any is called again: a misspelt one is seen in the first second.
        first = [
            next(known([item for item in some if item.model == model]), None) for model in sorted(models)
        ]
        rest = (key for key in known(some) if key not in first)
        return chain((key for key in first if key is not None), rest)

    return {provider: keys(some) for provider, some in subjects.items()}


def _scheduler(
    store: RunStore, pending: Iterable[Iterator[SampleKey]], requests: Requests
) -> StopRuleScheduler | None:
    declared = store.manifest.stop_rule
    if declared is None:
        return None
    rule, keys = stop_rule_of(declared), chain.from_iterable(pending)
    return StopRuleScheduler(rule, keys, store.case_progress(), provider_of=requests.provider_of)


def tally_of(store: RunStore) -> Tally:
    """Count what a run has done so far, for its cases in their current form."""
    manifest = store.manifest
    cases = manifest.current_cases()
    planned = {
        (subject_cases.model, subject_cases.tier): len(cases)
        * manifest.samples_of(subject_cases.model, subject_cases.tier)
        for subject_cases in manifest.subjects
    }
    tally = Tally({name: SubjectTally(planned=count) for name, count in planned.items()})
    current = {(case.suite, case.case, case.digest) for case in cases}
    for (model, tier, *form), done in store.case_progress().items():
        subject = tally.subjects[model, tier]
        subject.cost_nano_usd += done.cost_nano_usd
        if tuple(form) in current:
            subject.generated += done.samples
            subject.checked += done.evidence
            subject.passed += done.passes
            subject.unpriced += done.unpriced
    return tally
