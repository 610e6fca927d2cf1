"""Decide whom a run asks and how often, and turn each planned sample into a request.

Pure: nothing is asked here, nothing is read. The same eval set and options always give the same plan.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches

from steelyard.errors import UnknownName, UserError
from steelyard.metrics.rules import RuleChoice, chosen_rule, described
from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.case import Case
from steelyard.model.evalset import BASELINE_TIER, EvalSet, Tier
from steelyard.model.request import Parameters, Request
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import SampleKey
from steelyard.model.scoring import Scoring
from steelyard.runner.check.checkers import JUDGED_ONLY, checker_name
from steelyard.runner.draw.provider_pool import provider_name

WHOLE = frozenset({"max_tokens", "seed"})  # parameters that are whole numbers

# The rule that fits what a checker sees, for sets that name none; sets of several kinds get accuracy.
FITTING = {
    "rust": "build-test-lint",
    "python": "build-test-lint",
    "command": "build-test-lint",
    "terraform": "plausible",
}
FITS_ALL = "accuracy"
JUDGED_RULE = "composite"
HARDLY_DIFFER = "answers will hardly differ, and pass@k says little more than pass@1; try 0.8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the user asks for; what is left empty is the eval set's to say."""

    models: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    samples: int | None = None
    pass_k: tuple[int, ...] = (1,)
    parameters: Parameters = field(default_factory=Parameters)
    default_models: tuple[str, ...] = ()  # asked if neither the user nor the set says whom
    default_samples: int | None = None  # drawn if neither says how many; None: as many as the largest k


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """Whom to ask, which cases, how often, and how to score the answers."""

    eval_set: EvalSet
    subjects: tuple[Subject, ...]
    cases: tuple[RunCase, ...]
    samples: int
    scoring: Scoring
    stop_rule: str | None = None

    @property
    def total(self) -> int:
        """How many samples are planned."""
        return len(self.subjects) * len(self.cases) * self.samples

    def warnings(self, pass_k: Sequence[int]) -> list[str]:
        """Return what the user should know before anything is paid for."""
        cold = [subject.model for subject in self.subjects if parameters_of(subject).temperature == 0]
        if max(pass_k) > 1 and cold:
            names = ", ".join(dict.fromkeys(cold))
            return [f"pass@{max(pass_k)} of {names} at temperature 0: {HARDLY_DIFFER}"]
        return []


def planned(eval_set: EvalSet, wishes: Wishes) -> RunPlan:
    """Return the plan of a run: the user's wishes first, then the set's own, then the defaults."""
    _refuse_unjudged(eval_set)
    samples = _samples(eval_set, wishes)
    if samples < max(wishes.pass_k):
        raise UserError(
            f"--samples {samples}: pass@{max(wishes.pass_k)} needs at least {max(wishes.pass_k)} samples of "
            f"each case; draw more, or ask for a smaller k"
        )
    return RunPlan(
        eval_set=eval_set,
        subjects=_subjects(eval_set, wishes),
        cases=run_cases(eval_set.cases),
        samples=samples,
        scoring=_scoring(eval_set),
        stop_rule=eval_set.sampling.stop_rule,
    )


def grown(manifest: Manifest, eval_set: EvalSet, wishes: Wishes) -> RunPlan:
    """Return the plan of a run that goes on: all that it has, and what is wished for on top."""
    known = {(subject.model, subject.tier) for subject in manifest.subjects}
    models = wishes.models or tuple(dict.fromkeys(subject.model for subject in manifest.subjects))
    # What was declared when the run began holds to its end, whatever the set says now.
    sampling = replace(eval_set.sampling, stop_rule=manifest.stop_rule)
    wider = planned(
        replace(eval_set, sampling=sampling),
        replace(
            wishes,
            models=models,
            tiers=wishes.tiers or tuple(dict.fromkeys(subject.tier for subject in manifest.subjects)),
            samples=max(wishes.samples or 0, manifest.planned_samples or 0, *wishes.pass_k),
        ),
    )
    added = tuple(subject for subject in wider.subjects if (subject.model, subject.tier) not in known)
    is_wished = bool(wishes.models or wishes.tiers)
    return replace(
        wider,
        eval_set=eval_set,
        subjects=(*manifest.subjects, *(added if is_wished else ())),
        scoring=manifest.scoring,
        stop_rule=manifest.stop_rule,
    )


def run_cases(cases: Iterable[Case]) -> tuple[RunCase, ...]:
    """Return cases as a run names them."""
    return tuple(
        RunCase(suite=case.suite, case=case.id, digest=case.digest, expected=case.expected) for case in cases
    )


def parameters_of(subject: Subject) -> Parameters:
    """Return the parameters of a subject as numbers.

    >>> parameters_of(Subject(model="m", parameters={"temperature": "0.8"})).temperature
    0.8
    """
    known = {one.name for one in fields(Parameters)}
    values: dict[str, float | int] = {}
    for name, text in subject.parameters.items():
        if name not in known:
            near = get_close_matches(name, known, n=1) or [", ".join(sorted(known))]
            raise UnknownName(f"subject {subject.model}: no parameter is called {name!r}; is it {near[0]}?")
        try:
            values[name] = int(text) if name in WHOLE else float(text)
        except ValueError:
            raise UserError(f"subject {subject.model}: {name} = {text!r} is not a number") from None
    return Parameters(**values)  # type: ignore[arg-type]  # the names are those of the fields


class Requests:
    """Turns what is to be drawn into what is to be asked."""

    def __init__(self, eval_set: EvalSet, subjects: Iterable[Subject]) -> None:
        self._cases = {(case.suite, case.id): case for case in eval_set.cases}
        self._digests = {name: case.digest for name, case in self._cases.items()}
        self._tiers = {tier.id: tier for tier in eval_set.tiers}
        self._parameters = {(one.model, one.tier): parameters_of(one) for one in subjects}

    def case_of(self, key: SampleKey) -> Case | None:
        """Return the case that a sample belongs to, unless it has another form by now."""
        name = (key.suite, key.case)
        return self._cases[name] if self._digests.get(name) == key.digest else None

    def of(self, key: SampleKey) -> Request:
        """Return the request for one sample."""
        case = self.case_of(key)
        if case is None:
            raise UserError(f"case {key.case!r}: the eval set no longer has it in the form that was planned")
        tier = self._tier(key.tier)
        return Request(
            key=key,
            prompt=case.prompt,
            system_prompt=tier.system_prompt,
            context=tier.context,
            files=case.files,
            parameters=self._parameters_for(key, case),
            through=tier.agent,
        )

    def provider_of(self, model: str, tier: str) -> str:
        """Return who is asked for a model in a tier: its own provider, or the tier's agent."""
        return self._tier(tier).agent or provider_name(model)

    def _tier(self, name: str) -> Tier:
        return self._tiers.get(name) or Tier(id=name)

    def _parameters_for(self, key: SampleKey, case: Case) -> Parameters:
        base = self._parameters[key.model, key.tier]
        if case.max_tokens is not None:
            base = replace(base, max_tokens=case.max_tokens)
        # One seed for all attempts would give the same answer each time.
        return base if base.seed is None else replace(base, seed=base.seed + key.attempt)


def _refuse_unjudged(eval_set: EvalSet) -> None:
    if eval_set.judge is not None and not eval_set.judge.models:
        raise UserError(
            "nobody judges: name models with --judges provider/name, or in the eval set ([judge] models)"
        )
    if eval_set.judge is None and JUDGED_ONLY in eval_set.languages:
        raise UserError(
            f"cases in the language {JUDGED_ONLY!r} are looked at by judges only: name some with --judges "
            f"provider/name, or in the eval set ([judge] models)"
        )


def _samples(eval_set: EvalSet, wishes: Wishes) -> int:
    """Return how many samples of each case are drawn; where a stop rule is declared, at most."""
    sampling = eval_set.sampling
    if sampling.stop_rule is None:
        own = sampling.samples or wishes.default_samples or 0
        has_record = wishes.default_samples is not None  # in which there are no more than there are
        return wishes.samples or (own if has_record and own else max(own, *wishes.pass_k))
    most = stop_rule_of(sampling.stop_rule).maximum
    if wishes.samples not in {None, most}:
        raise UserError(
            f"--samples {wishes.samples}: the stop rule {sampling.stop_rule} draws up to {most}; leave the "
            f"option out, or change the rule in the eval set and begin a new run"
        )
    return most


def _subjects(eval_set: EvalSet, wishes: Wishes) -> tuple[Subject, ...]:
    tiers = _tiers(eval_set, wishes.tiers)
    common = _told(eval_set, wishes)
    if not wishes.models and eval_set.subjects:
        listed = [one for one in eval_set.subjects if one.tier in tiers]
        subjects = [replace(one, parameters={**common, **one.parameters}) for one in listed]
    else:
        models = tuple(dict.fromkeys(wishes.models or wishes.default_models))
        subjects = [Subject(model=model, tier=tier, parameters=common) for model in models for tier in tiers]
    if not subjects:
        raise UserError(
            "nobody to ask: name models with --models provider/name, in steelyard.toml (models = [...]) "
            "or in the eval set ([[subjects]]), or take recorded answers with --replay FILE"
        )
    _refuse_twins(subjects)
    for subject in subjects:
        parameters_of(subject)
    return tuple(subjects)


def _tiers(eval_set: EvalSet, wanted: Sequence[str]) -> tuple[str, ...]:
    known = [tier.id for tier in eval_set.tiers] or [BASELINE_TIER]
    for tier in wanted:
        if tier not in known:
            raise UnknownName(f"--tiers {tier}: the eval set has no such tier; it has {', '.join(known)}")
    return tuple(dict.fromkeys(wanted)) or tuple(known)


def _told(eval_set: EvalSet, wishes: Wishes) -> dict[str, str]:
    """Return the parameters that hold for all subjects, as text: the user's first, then the set's."""
    sampling, wished = eval_set.sampling, wishes.parameters
    values: Mapping[str, float | int | None] = {
        one.name: getattr(sampling, one.name)
        if getattr(wished, one.name) is None
        else getattr(wished, one.name)
        for one in fields(Parameters)
    }
    return {name: f"{value:.15g}" for name, value in values.items() if value is not None}


def _refuse_twins(subjects: Sequence[Subject]) -> None:
    seen = set()
    for subject in subjects:
        if (subject.model, subject.tier) in seen:
            raise UserError(
                f"{subject.model} is listed twice in tier {subject.tier}; to ask it with other parameters, "
                f"give them a tier of their own"
            )
        seen.add((subject.model, subject.tier))


def _scoring(eval_set: EvalSet) -> Scoring:
    kinds = {FITTING.get(checker_name(language), FITS_ALL) for language in eval_set.languages}
    fitting = kinds.pop() if len(kinds) == 1 else FITS_ALL
    if eval_set.judge is not None:
        fitting = JUDGED_RULE
    wanted = eval_set.scoring
    choice = RuleChoice(name=wanted.rule or fitting, weights=wanted.weights, penalties=wanted.penalties)
    return described(chosen_rule(choice))
