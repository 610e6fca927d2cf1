"""Plan the rest of a run: more samples, models, tiers or cases than it has.

What its answers and scores depend on stays as it was when the run began.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TypeVar, overload

from steelyard.errors import UnknownName, UserError
from steelyard.model.evalset import EvalSet, Tier
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.run import Manifest, Subject, SubjectSamples
from steelyard.runner.plan import RunOptions, RunPlan, plan_run

Named = TypeVar("Named", Subject, SubjectSamples)


def extend_plan(manifest: Manifest, eval_set: EvalSet, options: RunOptions) -> RunPlan:
    """Return the extended plan of a resumed run.

    More samples apply to the named models and tiers, by default to all.
    """
    _require_no_fewer(manifest, options)
    models = options.models or tuple(dict.fromkeys(subject.model for subject in manifest.subjects))
    # The stop rule of a run is fixed when it begins.
    sampling = replace(eval_set.sampling, stop_rule=manifest.stop_rule)
    extended = plan_run(
        replace(eval_set, sampling=sampling),
        replace(
            options,
            models=models,
            tiers=options.tiers or tuple(dict.fromkeys(subject.tier for subject in manifest.subjects)),
            samples=max(options.samples or 0, manifest.planned_samples or 0, *options.pass_k),
        ),
    )
    selected = _select_subjects(manifest, extended.subjects, options)
    _require_same_parameters(manifest, extended.subjects, options)
    known = {(subject.model, subject.tier) for subject in manifest.subjects}
    added = tuple(subject for subject in selected if (subject.model, subject.tier) not in known)
    common = manifest.planned_samples or 0 if options.models or options.tiers else extended.samples
    return replace(
        extended,
        eval_set=eval_set,
        subjects=(*manifest.subjects, *added),
        samples=common,
        scoring=manifest.scoring,
        stop_rule=manifest.stop_rule,
        subject_samples=_subject_samples(
            manifest, selected, wanted=max(options.samples or 0, *options.pass_k), common=common
        ),
    )


def _require_no_fewer(manifest: Manifest, options: RunOptions) -> None:
    """Reject fewer samples than the run already has."""
    planned = manifest.planned_samples or 0
    if options.samples is not None and options.samples < planned:
        raise UserError(
            f"`samples={options.samples}`: the run already has {planned} per case; set more, or leave it out"
        )


def _require_same_parameters(manifest: Manifest, subjects: Sequence[Subject], options: RunOptions) -> None:
    """Reject changed parameters: those of a subject are fixed when the run begins."""
    given = [name for name, value in asdict(options.parameters).items() if value is not None]
    known = {(subject.model, subject.tier): subject.parameters for subject in manifest.subjects}
    for subject in subjects:
        before = known.get((subject.model, subject.tier), subject.parameters)
        for name in given:
            if before.get(name) != subject.parameters.get(name):
                was = before.get(name, "its own value")
                raise UserError(
                    f"`{name}`: this run calls {subject.model} with {was}; start a new run to change it"
                )


def _select_subjects(
    manifest: Manifest, named: Sequence[Subject], options: RunOptions
) -> tuple[Subject, ...]:
    """Return the named subjects: those of the run, and new ones."""
    if not (options.models or options.tiers):
        return manifest.subjects
    known = {(subject.model, subject.tier): subject for subject in manifest.subjects}
    models, tiers = {model for model, _ in known}, {tier for _, tier in known}

    def is_new(subject: Subject) -> bool:
        if options.models and options.tiers:
            return True
        return subject.model not in models if options.models else subject.tier not in tiers

    chosen = (
        known.get((subject.model, subject.tier), subject if is_new(subject) else None) for subject in named
    )
    return tuple(subject for subject in chosen if subject is not None)


def _subject_samples(
    manifest: Manifest, selected: Iterable[Subject], *, wanted: int, common: int
) -> tuple[SubjectSamples, ...]:
    """Return the subjects with their own number of samples, which never decreases."""
    own = {
        (subject_sample.model, subject_sample.tier): subject_sample.samples
        for subject_sample in manifest.subject_samples
    }
    for subject in selected:
        name = (subject.model, subject.tier)
        own[name] = max(wanted, manifest.samples_of(*name))
    return tuple(
        SubjectSamples(model=model, tier=tier, samples=samples)
        for (model, tier), samples in own.items()
        if samples > common
    )


def require_same_set(manifest: Manifest, stored: EvalSet | None, eval_set: EvalSet, address: str) -> None:
    """Require an eval set with the prompts and suites of the run; `stored` is the run's own."""
    if stored is not None:
        _require_same_tiers(manifest, stored, eval_set, address)
    _require_same_suites(manifest, eval_set)


def require_same_judges(manifest: Manifest, eval_set: EvalSet, address: str) -> None:
    """Require the run's judges and rubric: with others, its scores would not be comparable."""
    judges, now = manifest.judges, None if eval_set.judge is None else eval_set.judge.record
    if judges is not None and (now is None or not now.models):
        raise UserError(
            f"{address}: this run has the judges {', '.join(judges.models)}, and the eval set "
            f"has none. Name them with `judges`, or leave the eval set out."
        )
    if judges != now:
        by = "none" if judges is None else f"{', '.join(judges.models)} with the rubric {judges.rubric!r}"
        raise UserError(
            f"{address}: the judges of this run are {by}; the eval set or `judges` names others. "
            f"Judge all answers again with `steelyard regrade`, or start a new run."
        )


def _require_same_suites(manifest: Manifest, eval_set: EvalSet) -> None:
    """Reject a case that moved to another suite: it would count twice."""
    suites = {current_case.case: current_case.suite for current_case in manifest.current_cases()}
    for case in eval_set.cases:
        before = suites.get(case.id, case.suite)
        if before != case.suite:
            raise UserError(
                f"case {case.id} has moved from suite {before} to {case.suite}, and would count twice: "
                f"move it back, or start a new run"
            )


def _require_same_tiers(manifest: Manifest, stored: EvalSet, eval_set: EvalSet, address: str) -> None:
    """Reject changed prompts of a tier: answers to two prompts would count as answers to one."""
    if stored.sampling.feedback != eval_set.sampling.feedback:
        was = "with" if stored.sampling.feedback else "without"
        raise UserError(
            f"{address}: this run was generated {was} feedback, and the eval set disagrees; start a new run"
        )
    before, now = _list_visible_tiers(stored), _list_visible_tiers(eval_set)
    for tier in dict.fromkeys(subject.tier for subject in manifest.subjects):
        if before.get(tier, Tier(id=tier)) != now.get(tier, Tier(id=tier)):
            raise UserError(
                f"{address}: the prompts of tier {tier} have changed since this run began. "
                f"Give the new tier its own name, or start a new run."
            )


def _list_visible_tiers(eval_set: EvalSet) -> dict[str, Tier]:
    """Return the tiers without the fields that no model sees."""
    return {tier.id: replace(tier, name="", description="") for tier in eval_set.tiers}


@overload
def change_models(manifest: Manifest, drop: Collection[str], renamed: Mapping[str, str]) -> Manifest: ...
@overload
def change_models(
    manifest: Manifest | None, drop: Collection[str], renamed: Mapping[str, str]
) -> Manifest | None: ...
def change_models(
    manifest: Manifest | None, drop: Collection[str], renamed: Mapping[str, str]
) -> Manifest | None:
    """Return the manifest with models dropped and replaced."""
    if not drop and not renamed:
        return manifest
    if manifest is None:
        raise UserError("`drop_models` and `replace_models` change a resumed run: set `resume=RUN`")
    known = tuple(dict.fromkeys(subject.model for subject in manifest.subjects))
    for model in (*drop, *renamed):
        if model not in known:
            raise _unknown_model(model, known)
    twice = [model for model in renamed.values() if model in known]
    if twice:
        raise UserError(f"{twice[0]} is in the run already; drop the misspelt one with `drop_models=NAME`")
    _require_distinct_models(drop, renamed)
    subjects = _change_names(manifest.subjects, drop, renamed)
    if not subjects:
        raise UserError("a run needs a model: replace it with `replace_models=OLD=NEW` instead")
    return replace(
        manifest,
        subjects=subjects,
        subject_samples=_change_names(manifest.subject_samples, drop, renamed),
    )


def _require_distinct_models(drop: Collection[str], renamed: Mapping[str, str]) -> None:
    """Reject models that are dropped and replaced, or replace several."""
    if both := [model for model in renamed if model in drop]:
        raise UserError(f"{both[0]} is both dropped and replaced; choose one")
    targets = list(renamed.values())
    if twice := [model for model in targets if targets.count(model) > 1]:
        raise UserError(
            f"{twice[0]} is to replace several models; replace one, and drop the others with "
            f"`drop_models=NAME`"
        )


def _change_names(
    listed: tuple[Named, ...], drop: Collection[str], renamed: Mapping[str, str]
) -> tuple[Named, ...]:
    return tuple(
        replace(entry, model=renamed.get(entry.model, entry.model))
        for entry in listed
        if entry.model not in drop
    )


def _unknown_model(model: str, known: Collection[str]) -> UnknownName:
    hint = did_you_mean(model, known, otherwise="it has")
    return UnknownName(f"{model}: the run has no such model; {hint}")
