"""Create the request of each planned sample."""

from collections.abc import Iterable
from dataclasses import fields, replace

from steelyard.errors import UnknownName, UserError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Tier
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.request import Parameters, Request
from steelyard.model.run import Subject
from steelyard.model.sample import SampleKey
from steelyard.runner.feedback import Feedback

WHOLE = frozenset({"max_tokens", "seed"})  # parameters that are whole numbers


class Requests:
    """The requests of a run, by the keys of its samples."""

    def __init__(
        self, eval_set: EvalSet, subjects: Iterable[Subject], feedback: Feedback | None = None
    ) -> None:
        """With `feedback`, further tries see the previous failure."""
        self._feedback = feedback
        self._cases = {(case.suite, case.id): case for case in eval_set.cases}
        self._digests = {name: case.digest for name, case in self._cases.items()}
        self._tiers = {tier.id: tier for tier in eval_set.tiers}
        self._parameters = {(subject.model, subject.tier): parameters_of(subject) for subject in subjects}

    def case_of(self, key: SampleKey) -> Case | None:
        """Return the case of a sample; None if the case has changed since."""
        name = (key.suite, key.case)
        return self._cases[name] if self._digests.get(name) == key.digest else None

    def latest(self, key: SampleKey) -> SampleKey:
        """Return the key of the sample for the current form of its case."""
        return key._replace(digest=self._digests.get((key.suite, key.case), key.digest))

    def of(self, key: SampleKey) -> Request:
        """Return the request for one sample."""
        case = self.case_of(key)
        if case is None:
            raise UserError(f"case {key.case!r}: its planned form is no longer in the eval set")
        tier = self._find_tier(key.tier)
        return Request(
            key=key,
            prompt=case.prompt if self._feedback is None else self._feedback.prompt(key, case.prompt),
            system_prompt=tier.system_prompt,
            context=tier.context,
            files=case.files,
            parameters=self._parameters_for(key, case),
            through=tier.agent,
            task=case.task,
        )

    def provider_of(self, model: str, tier: str) -> str:
        """Return the provider of a model in a tier: the model's own, or the tier's agent."""
        return self._find_tier(tier).agent or provider_name(model)

    def _find_tier(self, name: str) -> Tier:
        return self._tiers.get(name) or Tier(id=name)

    def _parameters_for(self, key: SampleKey, case: Case) -> Parameters:
        base = self._parameters[key.model, key.tier]
        if case.max_tokens is not None:
            base = replace(base, max_tokens=case.max_tokens)
        # Each attempt needs its own seed, else all answers would be equal.
        return base if base.seed is None else replace(base, seed=base.seed + key.attempt)


def parameters_of(subject: Subject) -> Parameters:
    """Return the parameters of a subject as numbers.

    >>> parameters_of(Subject(model="m", parameters={"temperature": "0.8"})).temperature
    0.8
    """
    known = {field.name for field in fields(Parameters)}
    values: dict[str, float | int] = {}
    for name, text in subject.parameters.items():
        if name not in known:
            hint = did_you_mean(name, sorted(known))
            raise UnknownName(f"subject {subject.model}: no parameter is called {name!r}; {hint}")
        try:
            values[name] = int(text) if name in WHOLE else float(text)
        except ValueError:
            raise UserError(f"subject {subject.model}: {name} = {text!r} is not a number") from None
    return Parameters(**values)  # type: ignore[arg-type]  # the names are those of the fields


def provider_name(model: str) -> str:
    """Return the provider of a model.

    >>> provider_name("openrouter/meta/llama-4")
    'openrouter'
    """
    return model.partition("/")[0]
