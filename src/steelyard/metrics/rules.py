"""Choose a scoring rule by name, or by what the outcomes hold, and describe it for a report.

The formulas themselves are in `scoring.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import ClassVar

from steelyard.errors import DomainError, UnknownName, UserError
from steelyard.metrics.appraisal import ScoringRule
from steelyard.metrics.exact import exact
from steelyard.metrics.scoring import Accuracy, BuildTestLint, Composite, PartWeights, Plausible
from steelyard.model.options import RuleChoice, Scoring
from steelyard.model.outcome import Classification, Facts

SCORE_GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenScore:
    """Take the score that the outcomes already hold; with `pass_score`, that much or more is a pass."""

    name: ClassVar[str] = SCORE_GIVEN
    version: ClassVar[int] = 1
    pass_score: Fraction | None = None

    def score(self, _: Facts) -> None:
        """Return nothing: the score does not follow from the facts."""

    def passed(self, facts: Facts) -> bool | None:
        """Return what the outcomes say."""
        return facts.passed


RULES = {
    "build-test-lint": frozenset({"build", "tests", "lint"}),
    "composite": frozenset({"pass", "impl"}),
    "accuracy": frozenset[str](),
    "plausible": frozenset[str](),
    SCORE_GIVEN: frozenset[str](),
}

VERDICTS = frozenset({"passed", "kind"})
TESTED = frozenset({"built", "tests_passed", "tests_failed"})

# The column without which a rule scores nothing, and what users call it.
NEEDED = {
    "build-test-lint": ("built", "built"),
    "composite": ("impl_micro", "impl_rate"),
    "accuracy": ("kind", "classification"),
    SCORE_GIVEN: ("score_micro", "score"),
}


def rule_for(columns: frozenset[str], choice: RuleChoice) -> ScoringRule:
    """Return the chosen rule, or the one that fits what the outcomes hold.

    In this order: a score that is already there, a build beside tests or a verdict, a judge's rating, a
    classification, and else pass or fail, which a build that stands alone is too.

    >>> rule_for(frozenset({"passed", "impl_micro"}), RuleChoice()).name
    'composite'
    """
    name = choice.name or _fitting(columns)
    rule = chosen_rule(replace(choice, name=name))
    _require_score(columns, name)
    _require_passes(columns, name, choice)
    return rule


def chosen_rule(choice: RuleChoice) -> ScoringRule:
    """Return the rule that a choice names, whatever the outcomes hold.

    >>> chosen_rule(RuleChoice(name="accuracy")).name
    'accuracy'
    """
    name = choice.name
    if name not in RULES:
        raise UnknownName(f"`scoring={name}`: there is no such rule; choose one of {', '.join(RULES)}")
    _require_known_weights(name, choice)
    return _checked_rule(name, choice)


def _fitting(columns: frozenset[str]) -> str:
    if "score_micro" in columns:
        return SCORE_GIVEN
    if "built" in columns and columns & {"passed", "tests_passed", "tests_failed"}:
        return "build-test-lint"
    if "impl_micro" in columns:
        return "composite"
    return "accuracy" if "kind" in columns else "plausible"


def _require_known_weights(name: str, choice: RuleChoice) -> None:
    unknown = sorted(set(choice.weights) - RULES[name])
    if unknown:
        allowed = ", ".join(sorted(RULES[name])) or "none"
        raise UserError(f"`weight={unknown[0]}`: the rule {name!r} has no such weight; it has: {allowed}")
    if choice.penalties and name != "accuracy":
        raise UserError(f"`penalty` belongs to the rule 'accuracy', but the rule here is {name!r}")


def _require_score(columns: frozenset[str], name: str) -> None:
    column, field = NEEDED.get(name, (None, ""))
    if column is not None and column not in columns:
        raise UserError(f"the rule {name!r} needs a column {field!r}; name it with `map={field}=COLUMN`")


def _require_passes(columns: frozenset[str], name: str, choice: RuleChoice) -> None:
    if choice.pass_score is not None:
        _require_no_verdicts(columns, name)
        return
    # Tests without a build, or a build without tests, show the failures and none of the passes.
    says_passes = {"plausible": "built" in columns, "build-test-lint": columns >= TESTED}
    if not columns & VERDICTS and not says_passes.get(name, False):
        raise UserError(
            "nothing in the outcomes says which samples passed; name the column (`map=passed=COLUMN`),\n"
            "or set the score from which a sample has passed (`pass_score=1`);\n"
            "the rule 'build-test-lint' derives it from built, tests_passed and tests_failed together"
        )


def _require_no_verdicts(columns: frozenset[str], name: str) -> None:
    if name != SCORE_GIVEN:
        raise UserError(f"`pass_score` belongs to the rule {SCORE_GIVEN!r}, but the rule here is {name!r}")
    if columns & VERDICTS:
        raise UserError("`pass_score`: the outcomes already say which samples passed; leave the option out")


def _checked_rule(name: str, choice: RuleChoice) -> ScoringRule:
    try:
        return _rule(name, choice)
    except DomainError as error:
        parameter = "penalty" if choice.penalties else "weight" if choice.weights else "pass_score"
        raise UserError(f"`{parameter}`: {error}") from None


def _rule(name: str, choice: RuleChoice) -> ScoringRule:
    match name:
        case "build-test-lint":
            return BuildTestLint(weights=PartWeights(**choice.weights))
        case "composite":
            return Composite(**{f"{part}_weight": weight for part, weight in choice.weights.items()})
        case "accuracy":
            return Accuracy(penalties=choice.penalties)
        case "plausible":
            return Plausible()
        case _:
            return GivenScore(pass_score=_pass_score(choice))


def _pass_score(choice: RuleChoice) -> Fraction | None:
    if choice.pass_score is None:
        return None
    score = exact(choice.pass_score)
    if not 0 < score <= 1:
        raise DomainError(f"a score to pass with must be above 0 and at most 1, got {float(score):g}")
    return score


def describe_rule(rule: ScoringRule) -> Scoring:
    """Return a rule's name, version and parameters in plain text.

    >>> describe_rule(BuildTestLint()).parameters["weights.tests"]
    '1/2'
    """
    return Scoring(name=rule.name, version=rule.version, parameters=_parameters(rule))


def rule_of(scoring: Scoring) -> ScoringRule:
    """Return the rule that a description names: the inverse of `describe_rule`.

    >>> rule_of(describe_rule(BuildTestLint())) == BuildTestLint()
    True
    """
    values = {name: Fraction(value) for name, value in scoring.parameters.items()}
    choice = RuleChoice(
        # A weight is called `weights.tests` or `pass_weight`, as the rule has it.
        weights={
            name.removeprefix("weights.").removesuffix("_weight"): value
            for name, value in values.items()
            if "weight" in name
        },
        penalties={
            Classification(name.removeprefix("penalties.")): value
            for name, value in values.items()
            if name.startswith("penalties.")
        },
        pass_score=values.get("pass_score"),
    )
    if scoring.name not in RULES or describe_rule(rule := _rule(scoring.name, choice)) != scoring:
        raise UserError(
            f"the rule {scoring.name!r} in version {scoring.version} is not known to this version of "
            f"Steelyard; choose another with `scoring`"
        )
    return rule


def _parameters(holder: object, prefix: str = "") -> dict[str, str]:
    parameters: dict[str, str] = {}
    for item in fields(holder):  # type: ignore[arg-type]  # rules are dataclasses; a protocol cannot say so
        name, value = f"{prefix}{item.name}", getattr(holder, item.name)
        if is_dataclass(value):
            parameters |= _parameters(value, f"{name}.")
        elif isinstance(value, Mapping):
            parameters |= {f"{name}.{key}": str(exact(part)) for key, part in sorted(value.items())}
        elif value is not None:
            parameters[name] = str(exact(value))
    return parameters
