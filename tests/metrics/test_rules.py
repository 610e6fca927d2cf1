"""Choosing a scoring rule, and describing it."""

from fractions import Fraction

import pytest

from steelyard.errors import UnknownName, UserError
from steelyard.metrics.rules import GivenScore, describe_rule, rule_for, rule_of
from steelyard.metrics.scoring import Accuracy, BuildTestLint, Composite, Plausible
from steelyard.model.options import RuleChoice, Scoring
from steelyard.model.outcome import Classification, Facts

TESTED = frozenset({"built", "tests_passed", "tests_failed"})
ALL = TESTED | {"passed", "kind", "impl_micro", "score_micro"}


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"passed"}, "plausible"),
        ({"built"}, "plausible"),
        ({"kind"}, "accuracy"),
        ({"kind", "passed"}, "accuracy"),
        ({"kind", "built"}, "accuracy"),
        ({"passed", "impl_micro"}, "composite"),
        ({"kind", "impl_micro"}, "composite"),
        (TESTED, "build-test-lint"),
        (TESTED | {"impl_micro", "passed"}, "build-test-lint"),
        ({"built", "passed"}, "build-test-lint"),
        ({"passed", "tests_passed", "tests_failed"}, "plausible"),
        (ALL, "given"),
        ({"score_micro", "passed"}, "given"),
    ],
)
def test_the_columns_choose_the_rule(columns: set[str], name: str) -> None:
    assert rule_for(frozenset(columns), RuleChoice()).name == name


@pytest.mark.parametrize(
    "columns",
    [
        {"attempt"},
        {"tests_passed", "tests_failed"},
        {"built", "tests_passed"},
        {"impl_micro"},
        {"impl_micro", "built"},
        {"score_micro"},
        {"score_micro", "built"},
    ],
)
def test_outcomes_that_tell_no_passes_are_refused(columns: set[str]) -> None:
    with pytest.raises(UserError, match=r"outcomes.*samples"):
        rule_for(frozenset(columns), RuleChoice())


@pytest.mark.parametrize("name", ["build-test-lint", "composite", "accuracy", "plausible", "given"])
def test_a_rule_can_be_named(name: str) -> None:
    assert rule_for(ALL, RuleChoice(name=name)).name == name


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("build-test-lint", "built"),
        ("composite", "impl_rate"),
        ("accuracy", "classification"),
        ("given", "score"),
    ],
)
def test_a_named_rule_without_its_column_is_refused(name: str, column: str) -> None:
    with pytest.raises(UserError, match=f"the rule '{name}' needs a column '{column}'"):
        rule_for(frozenset({"passed"}), RuleChoice(name=name))


def test_an_unknown_rule_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="build-test-lint"):
        rule_for(ALL, RuleChoice(name="best"))


def test_weights_reach_the_rule() -> None:
    built = rule_for(TESTED, RuleChoice(weights={"build": 1, "lint": 0}))
    rated = rule_for(frozenset({"passed", "impl_micro"}), RuleChoice(weights={"pass": 3}))

    assert isinstance(built, BuildTestLint)
    assert (built.weights.build, built.weights.tests, built.weights.lint) == (1, Fraction(1, 2), 0)
    assert rated == Composite(pass_weight=3)


@pytest.mark.parametrize(
    ("columns", "choice", "message"),
    [
        (
            {"passed"},
            RuleChoice(weights={"build": 1}),
            r"`weight=build`.*'plausible'",
        ),
        (TESTED, RuleChoice(weights={"pass": 1}), r"`weight=pass`.*build.*tests"),
        (TESTED, RuleChoice(weights={"build": -1}), "`weight`: .* negative"),
        (TESTED, RuleChoice(weights=dict.fromkeys(("build", "tests", "lint"), 0)), r"`weight`.*sum.*0"),
        (
            {"passed"},
            RuleChoice(penalties={Classification.FAIL: 1}),
            r"`penalty`.*'accuracy'",
        ),
        ({"kind"}, RuleChoice(penalties={Classification.FAIL: 2}), r"`penalty`.*0.*1"),
        ({"kind"}, RuleChoice(penalties={Classification.PASS: 1}), r"`penalty`.*penalty"),
        ({"score_micro"}, RuleChoice(pass_score=0), r"`pass_score`.*0.*1"),
        ({"score_micro"}, RuleChoice(pass_score="1.5"), r"`pass_score`.*0.*1"),
        ({"passed"}, RuleChoice(pass_score=1), r"`pass_score`.*'given'"),
        ({"score_micro", "passed"}, RuleChoice(pass_score=1), r"`pass_score`.*outcomes"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_name_of_its_option(
    columns: set[str], choice: RuleChoice, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        rule_for(frozenset(columns), choice)


def test_a_score_to_pass_with_reaches_the_rule() -> None:
    columns = frozenset({"score_micro"})

    assert rule_for(columns, RuleChoice(pass_score="0.9")) == GivenScore(pass_score=Fraction(9, 10))
    assert rule_for(columns, RuleChoice(pass_score=1)) == GivenScore(pass_score=Fraction(1))


def test_a_given_score_follows_from_no_facts() -> None:
    rule = GivenScore(pass_score=Fraction(9, 10))

    assert rule.score(Facts(passed=True)) is None  # type: ignore[func-returns-value]  # that it is None is the point
    assert rule.passed(Facts(passed=True)) is True
    assert rule.passed(Facts()) is None


@pytest.mark.parametrize(
    ("rule", "parameters"),
    [
        (Plausible(), {}),
        (GivenScore(), {}),
        (GivenScore(pass_score=Fraction(9, 10)), {"pass_score": "9/10"}),
        (Composite(pass_weight="0.3"), {"pass_weight": "3/10", "impl_weight": "1/2"}),
        (Accuracy(penalties={Classification.REFUSAL: 0.25}), {"penalties.refusal": "1/4"}),
        (
            BuildTestLint(),
            {
                "weights.build": "2/5",
                "weights.tests": "1/2",
                "weights.lint": "1/10",
                "weights.warning_penalty": "1/10",
            },
        ),
    ],
)
def test_a_rule_is_described_by_name_version_and_exact_parameters(
    rule: BuildTestLint | Composite | Accuracy | Plausible | GivenScore, parameters: dict[str, str]
) -> None:
    found = describe_rule(rule)

    assert (found.name, found.version) == (rule.name, 1)
    assert found.parameters == parameters


@pytest.mark.parametrize(
    "choice",
    [
        RuleChoice(name="build-test-lint", weights={"tests": "0.7"}),
        RuleChoice(name="composite", weights={"pass": 2, "impl": 1}),
        RuleChoice(name="accuracy", penalties={Classification.REFUSAL: "0.25"}),
        RuleChoice(name="plausible"),
        RuleChoice(name="given", pass_score="0.5"),
    ],
)
def test_a_described_rule_can_be_made_again(choice: RuleChoice) -> None:
    columns = frozenset({"built", "tests_passed", "tests_failed", "impl_micro", "score_micro"})
    known = columns if choice.pass_score else columns | {"passed", "kind"}
    told = describe_rule(rule_for(known, choice))

    assert describe_rule(rule_of(told)) == told


@pytest.mark.parametrize(
    "scoring",
    [
        Scoring(name="horoscope", version=1),
        Scoring(name="plausible", version=99),
        Scoring(name="plausible", version=1, parameters={"weights.moon": "1/2"}),
    ],
)
def test_a_rule_that_is_not_known_here_is_refused(scoring: Scoring) -> None:
    with pytest.raises(UserError, match="version"):
        rule_of(scoring)
