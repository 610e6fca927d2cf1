"""Plan a run: models, cases, samples and scoring.

Pure: the same eval set and options give the same plan.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from steelyard.errors import UnknownName, UserError
from steelyard.languages.language import BUILD_TEST_LINT
from steelyard.languages.lookup import LANGUAGES
from steelyard.metrics.rules import chosen_rule, describe_rule
from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.case import Case
from steelyard.model.evalset import BASELINE_TIER, EvalSet
from steelyard.model.options import Scoring
from steelyard.model.request import Parameters
from steelyard.model.run import ExcludedCase, RunCase, Shard, Subject, SubjectSamples
from steelyard.model.verdict import NOT_INDEPENDENT
from steelyard.runner.check.checkers import JUDGED_ONLY, checker_name
from steelyard.runner.requests import parameters_of

# The default scoring rule per checker; eval sets with several checkers get accuracy.
RULE_OF_CHECKER = {
    **{language.name: language.scoring_rule for language in LANGUAGES if language.checker},
    "command": BUILD_TEST_LINT,
}
COMMON_RULE = "accuracy"
JUDGED_RULE = "composite"
ONE_SAMPLE = "a gate counts those of a case once, so one sample of each is enough"
HARDLY_DIFFER = "answers will hardly differ, so pass@k is close to pass@1; try 0.8"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The user's options of a run; the eval set provides the defaults."""

    models: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    samples: int | None = None
    pass_k: tuple[int, ...] = (1,)
    parameters: Parameters = field(default_factory=Parameters)
    default_models: tuple[str, ...] = ()  # if neither user nor eval set names models
    default_samples: int | None = None  # if neither sets a number; None: the largest k


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """The models, cases, numbers of samples and scoring of a run."""

    eval_set: EvalSet
    subjects: tuple[Subject, ...]
    cases: tuple[RunCase, ...]
    samples: int
    scoring: Scoring
    stop_rule: str | None = None
    pass_k: tuple[int, ...] = ()
    subject_samples: tuple[SubjectSamples, ...] = ()  # of subjects with another number of samples
    shard: Shard | None = None  # the part of a larger run
    recorded: bool = False  # whether answers are replayed
    excluded: tuple[ExcludedCase, ...] = ()  # cases whose reference fails

    def samples_of(self, subject: Subject) -> int:
        """Return the number of samples per case of a subject."""
        name = (subject.model, subject.tier)
        own = (entry.samples for entry in self.subject_samples if (entry.model, entry.tier) == name)
        return next(own, self.samples)

    @property
    def total(self) -> int:
        """The number of planned samples."""
        return len(self.cases) * sum(map(self.samples_of, self.subjects))

    def warnings(self, pass_k: Sequence[int]) -> list[str]:
        """Return warnings to show before any call."""
        warnings = []
        if language := self.eval_set.assumed_language:
            warnings.append(f'no language is set: {language} is assumed; set default_language = "{language}"')
        cold = [subject.model for subject in self.subjects if parameters_of(subject).temperature == 0]
        if max(pass_k) > 1 and cold and not self.eval_set.sampling.feedback:
            names = ", ".join(dict.fromkeys(cold))
            warnings.append(f"pass@{max(pass_k)} of {names} at temperature 0: {HARDLY_DIFFER}")
        if cold and self.samples > 1:
            warnings.append(
                f"{', '.join(dict.fromkeys(cold))} at temperature 0: {NOT_INDEPENDENT}; {ONE_SAMPLE}"
            )
        return warnings


def plan_run(eval_set: EvalSet, options: RunOptions) -> RunPlan:
    """Return the plan of a run: the user's options, then the eval set's, then the defaults."""
    _require_judges(eval_set)
    samples, largest = _count_samples(eval_set, options), max(options.pass_k)
    if samples < largest:
        raise UserError(
            f"`samples={samples}`: pass@{largest} needs at least {largest} samples per case; generate more, "
            f"or choose a smaller k"
        )
    return RunPlan(
        eval_set=eval_set,
        subjects=_list_subjects(eval_set, options),
        cases=run_cases(eval_set.cases),
        samples=samples,
        scoring=_choose_rule(eval_set),
        stop_rule=eval_set.sampling.stop_rule,
        pass_k=options.pass_k,
    )


def run_cases(cases: Iterable[Case]) -> tuple[RunCase, ...]:
    """Return the run's identifiers of cases."""
    return tuple(
        RunCase(
            suite=case.suite,
            case=case.id,
            digest=case.digest,
            expected=case.expected,
            honeypot=case.honeypot,
            cluster=case.cluster,
        )
        for case in cases
    )


def _require_judges(eval_set: EvalSet) -> None:
    if eval_set.judge is not None and not eval_set.judge.models:
        raise UserError(
            "no judges: name some with `judges=provider/name`, or in the eval set ([judge] models)"
        )
    if eval_set.judge is None and JUDGED_ONLY in eval_set.languages:
        raise UserError(
            f"cases in the language {JUDGED_ONLY!r} are assessed by judges only: name some with "
            f"`judges=provider/name`, or in the eval set ([judge] models)"
        )


def _count_samples(eval_set: EvalSet, options: RunOptions) -> int:
    """Return the number of samples per case; with a stop rule, the maximum."""
    sampling = eval_set.sampling
    if sampling.stop_rule is None:
        own = sampling.samples or options.default_samples or 0
        has_record = options.default_samples is not None  # a recording has a fixed number of samples
        return options.samples or (own if has_record and own else max(own, *options.pass_k))
    most = stop_rule_of(sampling.stop_rule).maximum
    if options.samples not in {None, most}:
        raise UserError(
            f"`samples={options.samples}`: the stop rule {sampling.stop_rule} takes up to {most}. Remove "
            f"the option, or change the rule in the eval set and start a new run."
        )
    return most


def _list_subjects(eval_set: EvalSet, options: RunOptions) -> tuple[Subject, ...]:
    tiers = _list_tiers(eval_set, options.tiers)
    common = _common_parameters(eval_set, options)
    if not options.models and eval_set.subjects:
        subjects = [
            replace(subject, parameters={**common, **subject.parameters})
            for subject in eval_set.subjects
            if subject.tier in tiers
        ]
    else:
        models = tuple(dict.fromkeys(options.models or options.default_models))
        subjects = [Subject(model=model, tier=tier, parameters=common) for model in models for tier in tiers]
    if not subjects:
        raise UserError(
            "no models: name some with `models=provider/name`, in steelyard.toml (models = [...]) "
            "or in the eval set ([[subjects]]), or use recorded answers with `replay=FILE`"
        )
    _require_distinct(subjects)
    for subject in subjects:
        parameters_of(subject)
    return tuple(subjects)


def _list_tiers(eval_set: EvalSet, requested: Sequence[str]) -> tuple[str, ...]:
    known = [tier.id for tier in eval_set.tiers] or [BASELINE_TIER]
    for tier in requested:
        if tier not in known:
            raise UnknownName(f"`tiers={tier}`: the eval set has no such tier; it has {', '.join(known)}")
    return tuple(dict.fromkeys(requested)) or tuple(known)


def _common_parameters(eval_set: EvalSet, options: RunOptions) -> dict[str, str]:
    """Return the common parameters as text: the user's, then the eval set's."""
    sampling, own = eval_set.sampling, options.parameters
    values: Mapping[str, float | int | None] = {
        parameter.name: getattr(sampling, parameter.name)
        if getattr(own, parameter.name) is None
        else getattr(own, parameter.name)
        for parameter in fields(Parameters)
    }
    return {name: f"{value:.15g}" for name, value in values.items() if value is not None}


def _require_distinct(subjects: Sequence[Subject]) -> None:
    seen = set()
    for subject in subjects:
        if (subject.model, subject.tier) in seen:
            raise UserError(
                f"{subject.model} is listed twice in tier {subject.tier}; to call it with other parameters, "
                f"give them a tier of their own"
            )
        seen.add((subject.model, subject.tier))


def _choose_rule(eval_set: EvalSet) -> Scoring:
    rules = {RULE_OF_CHECKER.get(checker_name(language), COMMON_RULE) for language in eval_set.languages}
    rule = rules.pop() if len(rules) == 1 else COMMON_RULE
    if eval_set.judge is not None:
        rule = JUDGED_RULE
    scoring = eval_set.scoring
    return describe_rule(chosen_rule(replace(scoring, name=scoring.name or rule)))
