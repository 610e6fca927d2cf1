"""Hold an eval set: the cases, their suites, the tiers, and how answers are generated and scored.

The modules in `sources/` read it; a run decides which models answer it and how often.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction

from steelyard.model.benchmark import RunBenchmark
from steelyard.model.case import Case
from steelyard.model.options import RuleChoice
from steelyard.model.request import Parameters
from steelyard.model.rubric import Rubric
from steelyard.model.run import RunJudges, Subject
from steelyard.model.sample import text_digest

FURTHER_TRY = "Then followed the failed answer before this one, and what its check said."
BASELINE_TIER = "T0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named group of cases, and how much it counts in a weighted overall score."""

    id: str
    name: str = ""
    description: str = ""
    weight: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A named way of asking; T0 is the baseline.

    By default a model is called directly. With `provider`, an agent of that name in `steelyard.toml`, or with
    `command`, an agent's command line, the same model is called through the agent.
    """

    id: str = BASELINE_TIER
    name: str = ""
    description: str = ""
    system_prompt: str = ""
    context: Mapping[str, str] = field(default_factory=dict)  # files that are shown with every prompt
    provider: str = ""
    command: str = ""

    @property
    def agent(self) -> str:
        """The provider that models are called through; empty: each through its own.

        >>> Tier(provider="my-agent").agent, Tier(id="T2", command="my-agent {prompt}").agent, Tier().agent
        ('my-agent', 'tier:T2', '')
        """
        return self.provider or (f"tier:{self.id}" if self.command else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingPlan:
    """How answers are generated; what is None is left to the command line, and then to the model."""

    samples: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop_rule: str | None = None
    feedback: bool = False  # whether prompts of further tries include the last failure


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """The judges of every answer, their rubric and their parameters."""

    models: tuple[str, ...]
    rubric: Rubric
    parameters: Parameters = field(default_factory=Parameters)

    @property
    def record(self) -> RunJudges:
        """The record of the judges in a run."""
        return RunJudges(
            models=self.models,
            rubric=self.rubric.id,
            rubric_digest=self.rubric.digest,
            pass_threshold=str(self.rubric.pass_threshold),
            parameters=self.parameters.as_text(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSet:
    """Suites and cases, with a proposal how to generate and score answers."""

    id: str
    name: str = ""
    description: str = ""
    cases: tuple[Case, ...]
    suites: tuple[Suite, ...]
    tiers: tuple[Tier, ...] = (Tier(),)
    subjects: tuple[Subject, ...] = ()
    sampling: SamplingPlan = field(default_factory=SamplingPlan)
    scoring: RuleChoice = field(default_factory=RuleChoice)
    judge: JudgePlan | None = None
    benchmark: RunBenchmark | None = None  # of which public benchmark these are the tasks
    assumed_language: str | None = None  # of cases for which neither the set nor the case names one

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that answers are in, in the order in which they first occur."""
        return tuple(dict.fromkeys(case.language for case in self.cases))

    @property
    def suite_weights(self) -> dict[str, str]:
        """The exact weights of the suites, or nothing where all of them count the same.

        >>> EvalSet(id="s", cases=(), suites=(Suite(id="a", weight=Fraction(3)), Suite(id="b"))).suite_weights
        {'a': '3', 'b': '1'}
        """
        weights = {suite.id: suite.weight for suite in self.suites}
        is_even = len(set(weights.values())) <= 1
        return {} if is_even else {suite: str(weight) for suite, weight in weights.items()}

    def cases_of(self, suite: str) -> tuple[Case, ...]:
        """Return the cases of one suite."""
        return tuple(case for case in self.cases if case.suite == suite)

    @property
    def digest(self) -> str:
        """A name for all that can change a result; the order of the cases, names and descriptions cannot.

        >>> add, sub = (Case(id=name, language="rust") for name in ("add", "sub"))
        >>> one = EvalSet(id="sums", cases=(add, sub), suites=(Suite(id="default"),))
        >>> one.digest == EvalSet(id="s", cases=(sub, add), suites=(Suite(id="default", name="All"),)).digest
        True
        """
        form = {
            "cases": sorted((case.suite, case.id, case.digest) for case in self.cases),
            "suites": sorted((suite.id, str(suite.weight)) for suite in self.suites),
            "tiers": sorted(map(_tier_form, self.tiers)),
            "subjects": sorted(json.dumps(asdict(subject), sort_keys=True) for subject in self.subjects),
            "sampling": _sampling_form(self.sampling),
            "scoring": {
                "rule": self.scoring.name,
                "weights": {part: str(weight) for part, weight in self.scoring.weights.items()},
                "penalties": {kind: str(penalty) for kind, penalty in self.scoring.penalties.items()},
            },
        }
        # Sets without a judge keep the names that they had before there were any.
        judged = {} if self.judge is None else {"judge": asdict(self.judge.record)}
        return text_digest(json.dumps({**form, **judged}, sort_keys=True))


def _sampling_form(sampling: SamplingPlan) -> dict[str, object]:
    """Return the digested content; `feedback` is included only if set."""
    form = asdict(sampling)
    return form if sampling.feedback else {name: form[name] for name in form if name != "feedback"}


def _tier_form(tier: Tier) -> tuple[object, ...]:
    agent = (tier.provider, tier.command) if tier.agent else ()
    return (tier.id, tier.system_prompt, sorted(tier.context.items()), *agent)
