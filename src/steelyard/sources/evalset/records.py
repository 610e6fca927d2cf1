"""Turn the tables of an eval-set file into records, and find what is wrong within single tables.

What only several tables together can get wrong is found in `evalset.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic_core import PydanticCustomError

from steelyard.errors import DomainError
from steelyard.languages.compiled import RUST
from steelyard.metrics.exact import exact
from steelyard.metrics.rules import RULES
from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.case import Case, Dependency, Expectations
from steelyard.model.evalset import SamplingPlan, Suite, Tier
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.options import RuleChoice
from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.sample import JUDGE_TIER
from steelyard.sources.evalset.environment import environment_problems
from steelyard.sources.evalset.graded import graded_problems
from steelyard.sources.evalset.judge import judge_problems
from steelyard.sources.evalset.shape import (
    SAME,
    CaseTable,
    EvalSetTable,
    ExpectationsTable,
    SamplingTable,
    ScoringTable,
    SetFile,
    SuiteTable,
    TierTable,
)
from steelyard.sources.evalset.variables import variable_problems
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import Problem, quote
from steelyard.sources.toml.text import is_outside, text_of

DEFAULT_SUITE = "default"
ASSUMED_LANGUAGE = RUST.name  # where neither the set nor the case names one


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What holds for the cases of a file unless they say otherwise."""

    language: str = ASSUMED_LANGUAGE
    timeout_s: float = 60.0
    memory_mb: int | None = None
    suite: str = DEFAULT_SUITE


NEEDS_RULE = "feedback goes with a stop_rule that ends at the first pass, such as 'maximum=2,passes=1'"


def defaults_of(table: EvalSetTable | None, suites: tuple[SuiteTable, ...]) -> Defaults:
    """Return the defaults of a set; where there is one suite only, it is the one that is meant."""
    suite = suites[0].id if len(suites) == 1 else DEFAULT_SUITE
    if table is None:
        return Defaults(suite=suite)
    return Defaults(
        language=table.default_language or ASSUMED_LANGUAGE,
        timeout_s=table.default_timeout_secs,
        memory_mb=table.default_memory_mb,
        suite=suite,
    )


def case_of(table: CaseTable, defaults: Defaults) -> Case:
    """Return a case with the defaults filled in."""
    return Case(
        id=table.id,
        suite=table.suite or defaults.suite,
        prompt=table.prompt,
        language=table.language or defaults.language,
        timeout_s=table.timeout_secs or defaults.timeout_s,
        memory_mb=table.memory_mb or defaults.memory_mb,
        dependencies=tuple(
            Dependency(name=item.name, version=item.version, features=item.features)
            for item in table.dependencies
        ),
        files=table.files,
        expectations=_expectations(table.expectations),
        reference=table.reference,
        wrong=table.wrong,
        name=table.name,
        description=table.description,
        tags=table.tags,
        cluster=table.cluster,
        max_tokens=table.max_tokens,
        expected=table.expected_classification,
        honeypot=table.honeypot,
    )


def _expectations(table: ExpectationsTable) -> Expectations:
    should_build = table.should_build if table.should_build is not None else table.should_compile
    most = table.max_lint_warnings if table.max_lint_warnings is not None else table.max_clippy_warnings
    return Expectations(
        should_build=should_build is not False,
        should_pass_tests=table.should_pass_tests,
        tests=table.tests or table.test_file or "",
        functions=table.functions or table.expected_functions or (),
        types=table.types or table.expected_types or (),
        max_lint_warnings=most,
        custom_check=table.custom_check,
        settings=table.settings,
        function=table.function,
        calls=tuple(
            FunctionCall(
                args=call.args, kwargs=call.kwargs, returns=call.returns, raises=call.raises, name=call.name
            )
            for call in table.calls
        ),
        io=tuple(
            InputOutput(stdin=item.stdin, args=item.args, stdout=item.stdout, name=item.name)
            for item in table.io
        ),
        compare=table.compare,
        tolerance=table.tolerance,
        comparator=table.comparator,
    )


def suite_of(table: SuiteTable) -> Suite:
    """Return a suite."""
    return Suite(id=table.id, name=table.name, description=table.description, weight=exact(table.weight))


def tier_of(table: TierTable, folder: Path) -> Tier:
    """Return a tier with the files that it shows."""
    return Tier(
        id=table.id,
        name=table.name,
        description=table.description,
        system_prompt=table.system_prompt,
        context={name: text_of(name, folder) for name in table.context_files},
        provider=table.provider,
        command=table.command,
    )


def sampling_of(table: SamplingTable | None) -> SamplingPlan:
    """Return the sampling plan."""
    if table is None:
        return SamplingPlan()
    return SamplingPlan(
        samples=table.samples,
        temperature=table.temperature,
        top_p=table.top_p,
        max_tokens=table.max_tokens,
        seed=table.seed,
        stop_rule=table.stop_rule,
        feedback=table.feedback,
    )


def scoring_of(table: ScoringTable | None) -> RuleChoice:
    """Return the choice of a scoring rule."""
    if table is None:
        return RuleChoice()
    return RuleChoice(
        name=table.rule,
        weights={part: exact(weight) for part, weight in table.weights.items()},
        penalties={Classification(kind): exact(share) for kind, share in table.penalties.items()},
    )


def file_problems(read: SetFile) -> Iterator[Problem]:
    """Find what is wrong within single tables of a file although every key and every type is right."""
    for at, problem in _problems_of(read):
        yield read.problem(at, problem)


def _problems_of(read: SetFile) -> Iterator[tuple[KeyPath, str]]:
    holds = read.holds
    for index, case in enumerate(holds.cases):
        yield from _in_case(case, ("cases", index))
    for index, tier in enumerate(holds.tiers):
        yield from _in_tier(tier, ("tiers", index), read.path.parent)
    if holds.sampling is not None:
        yield from _in_sampling(holds.sampling)
    if holds.scoring is not None:
        yield from _in_scoring(holds.scoring)
    if holds.judge is not None:
        yield from judge_problems(holds.judge, read.path.parent)
    if holds.environment is not None:
        yield from environment_problems(holds.environment)


def _in_case(case: CaseTable, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    who = f"case {quote(case.id)}"
    if not case.prompt.strip():
        yield (*at, "prompt"), f"{who}: the prompt is empty; write the task into it"
    for ours, theirs in SAME.items():
        if None not in {getattr(case.expectations, ours), getattr(case.expectations, theirs)}:
            yield (
                (*at, "expectations", theirs),
                f"{who}: {ours!r} and {theirs!r} mean the same; leave one of them out",
            )
    for path in case.files:
        if is_outside(path):
            yield (
                (*at, "files", path),
                f"{who}: {quote(path)} is no relative path that stays in the workspace",
            )
    for index, wrong in enumerate(case.wrong):
        if wrong == case.reference:
            yield (
                (*at, "wrong", index),
                f"{who}: this wrong answer is the reference answer; change one of them",
            )
    yield from graded_problems(case, at)
    yield from variable_problems(case, at)
    yield from _in_honeypot(case, at)
    if case.expected_classification is Classification.ERROR:
        yield (
            (*at, "expected_classification"),
            f"{who}: 'error' means an infrastructure error; no answer can be meant to cause one",
        )


def _in_honeypot(case: CaseTable, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    who = f"case {quote(case.id)}"
    if case.honeypot and case.reference is not None:
        yield (
            (*at, "reference"),
            f"{who}: no answer to a honeypot passes, so it has no reference answer; leave one of them out",
        )
    if case.honeypot and case.expected_classification is not Classification.PASS:
        yield (
            (*at, "expected_classification"),
            f"{who}: a honeypot is a case that no answer passes; leave 'expected_classification' out",
        )


def _in_tier(tier: TierTable, at: KeyPath, folder: Path) -> Iterator[tuple[KeyPath, str]]:
    if tier.id == JUDGE_TIER:
        yield (*at, "id"), f"{quote(tier.id)} is what the requests of judges are called; choose another id"
    if tier.provider and tier.command:
        yield (
            (*at, "command"),
            f"tier {quote(tier.id)} names a 'provider' too; leave one of them out",
        )
    for index, name in enumerate(tier.context_files):
        try:
            text_of(name, folder)
        except PydanticCustomError as error:
            yield (*at, "context_files", index), f"tier {quote(tier.id)}: {error.message()}"


def _in_sampling(sampling: SamplingTable) -> Iterator[tuple[KeyPath, str]]:
    at = ("sampling", "stop_rule")
    if sampling.stop_rule is None:
        if sampling.feedback:
            yield ("sampling", "feedback"), NEEDS_RULE
        return
    try:
        rule = stop_rule_of(sampling.stop_rule)
    except DomainError as error:
        yield at, f"found {sampling.stop_rule!r}, {error}"
        return
    if sampling.feedback and (rule.passes != 1 or rule.minimum != 1):
        yield ("sampling", "feedback"), NEEDS_RULE
    if sampling.samples not in {None, rule.maximum}:
        message = (
            f"the rule takes up to {rule.maximum} samples, but samples = {sampling.samples}; make them equal"
        )
        yield at, message


def _in_scoring(scoring: ScoringTable) -> Iterator[tuple[KeyPath, str]]:
    rule = scoring.rule
    if rule is not None and rule not in RULES:
        yield ("scoring", "rule"), f"there is no rule {quote(rule)}; choose one of {', '.join(RULES)}"
        return
    known: Mapping[str, frozenset[str]] = RULES if rule is None else {rule: RULES[rule]}
    parts = frozenset().union(*known.values())
    for part in scoring.weights.keys() - parts:
        yield ("scoring", "weights", part), f"no such weight: {quote(part)}; there is {_list_names(parts)}"
    for kind in scoring.penalties.keys() - set(FAILURES):
        yield (
            ("scoring", "penalties", kind),
            f"no kind of failure: {quote(kind)}; there is {_list_names(FAILURES)}",
        )
    if scoring.weights and not any(scoring.weights.values()):
        yield ("scoring", "weights"), "all weights are 0; give one of the parts some weight"
    if scoring.penalties and rule not in {None, "accuracy"}:
        yield ("scoring", "penalties"), f"penalties belong to the rule 'accuracy', not to {quote(str(rule))}"


def _list_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
