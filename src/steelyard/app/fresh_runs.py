"""Resample cases with fresh seeds, in a separate run for each side of a comparison."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from steelyard.errors import InputError, UserError
from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback, RunResult
from steelyard.model.run import Manifest, Subject
from steelyard.model.sample import SampleKey, text_digest
from steelyard.runner.plan import RunPlan, run_cases
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.store.run.run_store import is_run, open_run
from steelyard.store.run.stored_set import read_stored_set

CaseId = tuple[str, str]  # suite and case


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two runs, and how its models are called."""

    manifest: Manifest
    eval_set: EvalSet
    settings: RunSettings

    def subject(self, model: str, tier: str) -> Subject:
        """Return a subject of the run, with seeds that were not used yet."""
        subject = next(
            (
                subject_cases
                for subject_cases in self.manifest.subjects
                if (subject_cases.model, subject_cases.tier) == (model, tier)
            ),
            None,
        )
        if subject is None:
            raise InputError(f"run {self.manifest.id} has no subject {model} in tier {tier}")
        seed = subject.parameters.get("seed")
        if seed is None:
            return subject
        fresh = str(int(seed) + self.manifest.samples_of(model, tier))
        return replace(subject, parameters={**subject.parameters, "seed": fresh})

    def asked(self, subject: Subject, case: CaseId) -> tuple[object, ...]:
        """Return all that an answer depends on, as far as we can know."""
        digest = next(item.digest for item in self.eval_set.cases if (item.suite, item.id) == case)
        key = SampleKey(subject.model, subject.tier, *case, digest, 0)
        request = Requests(self.eval_set, [subject]).of(key)
        provider = self.settings.providers.get(request.provider)
        return subject.model, request.prompt_digest, replace(request.parameters, seed=None), provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Resampled cases of a pair of subjects, and samples per case."""

    baseline: tuple[str, str]  # model and tier
    current: tuple[str, str]
    cases: tuple[CaseId, ...]
    samples: int


class FreshRun:
    """A separate run that resamples one subject."""

    def __init__(self, side: Side, subject: Subject, again: Again, *, address: str) -> None:
        """Prepare the run; raise errors for missing tools, keys or prices before any cost."""
        requested = set(again.cases)
        cases = tuple(case for case in side.eval_set.cases if (case.suite, case.id) in requested)
        sampling = replace(side.eval_set.sampling, stop_rule=None, samples=None)
        self.address = address
        self._plan = RunPlan(
            eval_set=replace(side.eval_set, cases=cases, sampling=sampling),
            subjects=(subject,),
            cases=run_cases(cases),
            samples=again.samples,
            scoring=side.manifest.scoring,
        )
        self._settings = side.settings
        self._resources()

    def generate(self, *, progress: ProgressCallback, max_nano_usd: int | None) -> RunResult:
        """Generate and check, or go on with it, for no more than a sum."""
        store = open_run(self.address).hold() if is_run(self.address) else begin_run(self._plan, self.address)
        return execute(store, self._plan.eval_set, self._resources(max_nano_usd), progress=progress)

    def _resources(self, max_nano_usd: int | None = None) -> RunResources:
        cap = self._settings.max_nano_usd if max_nano_usd is None else max_nano_usd
        settings = replace(self._settings, max_nano_usd=cap)
        return RunResources(self._plan.eval_set, self._plan.subjects, settings)


def side_of(address: str, settings: RunSettings) -> Side:
    """Return a run as one of the two sides."""
    store = open_run(address)
    return Side(manifest=store.manifest, eval_set=read_stored_set(store.location), settings=settings)


def fresh_runs(baseline: Side, current: Side, wanted: Sequence[Again], *, root: str) -> list[FreshRun]:
    """Return the runs to generate, for each pair of subjects first that of the baseline."""
    name = _name(baseline, current, wanted)
    result = []
    for number, again in enumerate(wanted, start=1):
        before, after = baseline.subject(*again.baseline), current.subject(*again.current)
        _require_difference(baseline, current, (before, after), again)
        for side, subject, which in ((baseline, before, "baseline"), (current, after, "current")):
            address = f"{root.rstrip('/')}/{name}-{number}-{which}"
            result.append(FreshRun(side, subject, again, address=address))
    return result


def _require_difference(
    baseline: Side, current: Side, subjects: tuple[Subject, Subject], again: Again
) -> None:
    before, after = subjects
    if all(baseline.asked(before, case) == current.asked(after, case) for case in again.cases):
        raise UserError(
            f"`confirm`: {before.model} is asked in just the same way in both runs, so fresh answers cannot "
            f"tell them apart. If the model of the baseline is still there, say how to call it: "
            f"`baseline_config=FILE`. Otherwise generate more samples of the current run, without `confirm`."
        )


def _name(baseline: Side, current: Side, wanted: Sequence[Again]) -> str:
    """Return a name for all of it, the same whenever the same is generated again."""
    form = [baseline.manifest.id, current.manifest.id]
    form += [baseline.eval_set.digest, current.eval_set.digest]  # a regrade may have brought other tests
    for item in wanted:
        form.append(json.dumps([item.baseline, item.current, sorted(item.cases), item.samples]))
        form += [_called(baseline, item.baseline[0]), _called(current, item.current[0])]
    return f"confirm-{text_digest(json.dumps(form))[:12]}"


def _called(side: Side, model: str) -> str:
    """Return where answers of a model come from: with another configuration, they are other answers."""
    provider = side.settings.providers.get(model.partition("/")[0])
    if provider is None:
        return ""
    return json.dumps([provider.adapter, provider.base_url, sorted(provider.options.items())])
