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
    """One of the two runs, and the settings of its model calls."""

    manifest: Manifest
    eval_set: EvalSet
    settings: RunSettings

    def subject(self, model: str, tier: str) -> Subject:
        """Return a subject of the run, with unused seeds."""
        matches = (each for each in self.manifest.subjects if (each.model, each.tier) == (model, tier))
        subject = next(matches, None)
        if subject is None:
            raise InputError(f"run {self.manifest.id} has no subject {model} in tier {tier}")
        seed = subject.parameters.get("seed")
        if seed is None:
            return subject
        fresh = str(int(seed) + self.manifest.samples_of(model, tier))
        return replace(subject, parameters={**subject.parameters, "seed": fresh})

    def request(self, subject: Subject, case: CaseId) -> tuple[object, ...]:
        """Return everything known that an answer depends on: model, prompt, parameters, provider."""
        digests = {(each.suite, each.id): each.digest for each in self.eval_set.cases}
        key = SampleKey(subject.model, subject.tier, *case, digests[case], 0)
        request = Requests(self.eval_set, [subject]).of(key)
        provider = self.settings.providers.get(request.provider)
        return subject.model, request.prompt_digest, replace(request.parameters, seed=None), provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """Resampled cases of a pair of subjects, and samples per case."""

    baseline: tuple[str, str]  # model and tier
    current: tuple[str, str]
    cases: tuple[CaseId, ...]
    samples: int


class FreshRun:
    """A separate run that resamples one subject."""

    def __init__(self, side: Side, subject: Subject, pair: Resampled, *, address: str) -> None:
        """Prepare the run; raise errors for missing tools, keys or prices before any cost."""
        requested = set(pair.cases)
        cases = tuple(case for case in side.eval_set.cases if (case.suite, case.id) in requested)
        sampling = replace(side.eval_set.sampling, stop_rule=None, samples=None)
        self.address = address
        self._plan = RunPlan(
            eval_set=replace(side.eval_set, cases=cases, sampling=sampling),
            subjects=(subject,),
            cases=run_cases(cases),
            samples=pair.samples,
            scoring=side.manifest.scoring,
        )
        self._settings = side.settings
        self._resources()

    def generate(self, *, progress: ProgressCallback, max_nano_usd: int | None) -> RunResult:
        """Generate and check within a budget, or resume."""
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


def fresh_runs(baseline: Side, current: Side, pairs: Sequence[Resampled], *, root: str) -> list[FreshRun]:
    """Return the runs to generate, for each pair of subjects the baseline's first."""
    name = _name_runs(baseline, current, pairs)
    runs = []
    for number, pair in enumerate(pairs, start=1):
        before, after = baseline.subject(*pair.baseline), current.subject(*pair.current)
        _require_difference(baseline, current, (before, after), pair)
        for side, subject, label in ((baseline, before, "baseline"), (current, after, "current")):
            address = f"{root.rstrip('/')}/{name}-{number}-{label}"
            runs.append(FreshRun(side, subject, pair, address=address))
    return runs


def _require_difference(
    baseline: Side, current: Side, subjects: tuple[Subject, Subject], pair: Resampled
) -> None:
    before, after = subjects
    if all(baseline.request(before, case) == current.request(after, case) for case in pair.cases):
        raise UserError(
            f"`confirm`: both runs send the same requests to {before.model}, so fresh answers cannot differ. "
            f"If the baseline's model still exists, configure it with `baseline_config=FILE`. "
            f"Otherwise generate more samples of the current run, without `confirm`."
        )


def _name_runs(baseline: Side, current: Side, pairs: Sequence[Resampled]) -> str:
    """Return a name that is equal for equal requests, so that they resume the same runs."""
    form = [baseline.manifest.id, current.manifest.id]
    form += [baseline.eval_set.digest, current.eval_set.digest]  # a regrade may have changed the tests
    for pair in pairs:
        form.append(json.dumps([pair.baseline, pair.current, sorted(pair.cases), pair.samples]))
        form += [_describe_provider(baseline, pair.baseline[0]), _describe_provider(current, pair.current[0])]
    return f"confirm-{text_digest(json.dumps(form))[:12]}"


def _describe_provider(side: Side, model: str) -> str:
    """Return the adapter and options of a model's provider: other ones give other answers."""
    provider = side.settings.providers.get(model.partition("/")[0])
    if provider is None:
        return ""
    return json.dumps([provider.adapter, provider.base_url, sorted(provider.options.items())])
