from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.appraisal import ScoringRule
from steelyard.metrics.scoring import (
    Accuracy,
    BuildTestLint,
    Composite,
    Plausible,
    composite_score,
)
from steelyard.model.outcome import FAILURES, Classification, Facts
from steelyard.model.units import Number
from tests.golden_values import Row, golden, golden_rows

RULES: list[ScoringRule] = [BuildTestLint(), Composite(), Accuracy(), Plausible()]
CUT_SHORT = [kind for kind in FAILURES if kind is not Classification.FAIL]

counts = st.none() | st.integers(0, 20)
any_facts = st.builds(
    Facts,
    classification=st.none() | st.sampled_from(Classification),
    passed=st.none() | st.booleans(),
    built=st.none() | st.booleans(),
    tests_passed=counts,
    tests_failed=counts,
    lint_warnings=counts,
    impl_rate=st.none() | st.fractions(0, 1, max_denominator=1000),
)


# --- every rule -------------------------------------------------------------------------------------


def test_every_rule_has_its_own_name_and_a_version() -> None:
    names = {rule.name: rule.version for rule in RULES}

    assert names == {"build-test-lint": 1, "composite": 1, "accuracy": 1, "plausible": 1}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@settings(deadline=None)
@given(any_facts)
def test_every_score_lies_between_0_and_1(rule: ScoringRule, facts: Facts) -> None:
    score = rule.score(facts)

    assert score is None or 0 <= score <= 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@settings(deadline=None)
@given(any_facts)
def test_a_score_is_never_there_without_a_verdict(rule: ScoringRule, facts: Facts) -> None:
    score, passed = rule.score(facts), rule.passed(facts)

    assert score is None or passed is not None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("passed", [True, False])
def test_our_own_failure_is_no_evidence_under_any_rule(rule: ScoringRule, passed: bool) -> None:  # noqa: FBT001
    facts = Facts(
        classification=Classification.ERROR,
        passed=passed,
        built=passed,
        tests_passed=3,
        tests_failed=0,
        lint_warnings=0,
        impl_rate=Fraction(1),
    )

    assert rule.score(facts) is None
    assert rule.passed(facts) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_without_facts_there_is_neither_score_nor_verdict(rule: ScoringRule) -> None:
    assert rule.score(Facts()) is None
    assert rule.passed(Facts()) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("kind", CUT_SHORT)
def test_an_answer_that_was_cut_short_is_a_failed_attempt_and_not_an_unknown_one(
    rule: ScoringRule, kind: Classification
) -> None:
    passed = rule.passed(Facts(classification=kind))

    assert passed is False


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_can_be_hashed_and_not_changed(rule: ScoringRule) -> None:
    assert hash(rule) == hash(type(rule)())
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        setattr(rule, "name", "other")  # noqa: B010 - a plain assignment is already refused by the type checker


# --- composite --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [row for row in golden_rows("composite") if row["value"] is not None], ids=str
)
def test_seed_002_composite_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    weights = {"pass_weight": row["pass_weight"], "impl_weight": row["impl_weight"]}

    score = composite_score(pass_rate=row["pass_rate"], impl_rate=row["impl_rate"], **weights)

    facts = Facts(passed=row["pass_rate"] == "1", impl_rate=Fraction(row["impl_rate"]))
    assert float(score) == row["value"]
    assert Composite(**weights).score(facts) == score


@pytest.mark.parametrize("row", [row for row in golden_rows("composite") if row["value"] is None], ids=str)
def test_weights_of_the_composite_that_sum_to_0_are_refused(row: Row) -> None:
    weights = {"pass_weight": row["pass_weight"], "impl_weight": row["impl_weight"]}

    with pytest.raises(DomainError, match=r"weights of impl, pass.*0$"):
        Composite(**weights)
    with pytest.raises(DomainError, match=r"sum to 0$"):
        composite_score(pass_rate=row["pass_rate"], impl_rate=row["impl_rate"], **weights)


def test_seed_002_example_1_a_single_run() -> None:
    example = golden()["seed_examples"]["ex1"]

    score = Composite().score(
        Facts(passed=example["passed"], impl_rate=Fraction(str(example["weighted_score"])))
    )

    assert score == composite_score(pass_rate=example["pass_rate"], impl_rate=example["impl_rate"])
    assert score == Fraction(str(example["composite"]))


@pytest.mark.parametrize(
    ("facts", "passed", "score"),
    [
        (Facts(passed=True, impl_rate=Fraction(1, 2)), True, Fraction(3, 4)),
        (Facts(passed=False, impl_rate=Fraction(1, 2)), False, Fraction(1, 4)),
        (Facts(passed=True), True, None),
        (Facts(impl_rate=Fraction(1, 2)), None, None),
        (Facts(classification=Classification.PASS, impl_rate=Fraction(1)), True, Fraction(1)),
        (Facts(classification=Classification.TIMEOUT, impl_rate=Fraction(1)), False, Fraction(1, 2)),
        (Facts(classification=Classification.FAIL, passed=True, impl_rate=Fraction(1)), True, Fraction(1)),
        (Facts(built=False, impl_rate=Fraction(1)), None, None),
    ],
)
def test_the_composite_takes_passed_as_recorded(
    facts: Facts,
    passed: bool | None,  # noqa: FBT001 - a table of verdicts
    score: Fraction | None,
) -> None:
    assert Composite().passed(facts) is passed
    assert Composite().score(facts) == score


@pytest.mark.parametrize("name", ["pass_rate", "impl_rate"])
@pytest.mark.parametrize("rate", [-0.1, 1.1])
def test_a_rate_outside_0_and_1_is_refused_by_name(name: str, rate: float) -> None:
    rates: dict[str, Number] = {"pass_rate": 1, "impl_rate": 1, name: rate}

    with pytest.raises(DomainError, match=rf"^{name} must lie between 0 and 1"):
        composite_score(pass_rate=rates["pass_rate"], impl_rate=rates["impl_rate"])


@pytest.mark.parametrize("name", ["pass", "impl"])
def test_a_negative_weight_of_the_composite_is_refused_by_name(name: str) -> None:
    with pytest.raises(DomainError, match=rf"^weight '{name}' must not be negative, got -1$"):
        Composite(**{"pass_weight": 2, "impl_weight": 2, f"{name}_weight": -1})


# --- accuracy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FAILURES)
def test_seed_004_accuracy_is_1_for_a_pass_and_0_for_any_failure(kind: Classification) -> None:
    rule = Accuracy()

    assert rule.score(Facts(classification=Classification.PASS)) == 1
    assert rule.score(Facts(classification=kind)) == 0
    assert rule.passed(Facts(classification=Classification.PASS)) is True
    assert rule.passed(Facts(classification=kind)) is False


def test_a_penalty_may_be_milder_for_some_failures() -> None:
    rule = Accuracy(penalties={Classification.REFUSAL: 0.3, Classification.FAIL: 0})
    kinds = [Classification.PASS, Classification.REFUSAL, Classification.FAIL, Classification.TIMEOUT]

    scores = [rule.score(Facts(classification=kind)) for kind in kinds]

    assert scores == [1, Fraction(7, 10), 1, 0]
    assert rule.passed(Facts(classification=Classification.FAIL)) is False


@pytest.mark.parametrize("kind", [Classification.PASS, Classification.ERROR])
def test_a_penalty_for_what_is_no_failure_of_the_model_is_refused(kind: Classification) -> None:
    with pytest.raises(DomainError, match=rf"^{kind} takes no penalty; only these do: fail, build_error, "):
        Accuracy(penalties={kind: 0.5})


@pytest.mark.parametrize("penalty", [-0.1, 1.1, "nan"])
def test_a_penalty_outside_0_and_1_is_refused(penalty: Number) -> None:
    with pytest.raises(DomainError, match=r"^the penalty for refusal must lie|^expected a finite number"):
        Accuracy(penalties={Classification.REFUSAL: penalty})


def test_accuracy_takes_the_recorded_verdict_where_a_sample_has_no_classification() -> None:
    rule = Accuracy(penalties={Classification.FAIL: 0.25})

    assert rule.score(Facts(passed=True)) == 1
    assert rule.score(Facts(passed=False)) == Fraction(3, 4)
    assert rule.passed(Facts(passed=False)) is False


def test_accuracy_asks_for_no_build_and_no_tests() -> None:
    facts = Facts(built=True, tests_passed=1, tests_failed=0)

    assert Accuracy().score(facts) is None
    assert Accuracy().passed(facts) is None


# --- plausible --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "passed"),
    [
        (Facts(built=True), True),
        (Facts(built=False), False),
        (Facts(passed=True), True),
        (Facts(passed=False), False),
        (Facts(built=True, passed=False), True),
        (Facts(built=False, passed=True), False),
        (Facts(classification=Classification.PASS), True),
        (Facts(classification=Classification.BUILD_ERROR), False),
        (Facts(classification=Classification.FAIL, built=True), True),
        (Facts(tests_passed=3, tests_failed=0), None),
    ],
)
def test_seed_003_plausible_means_the_validator_reports_no_error(
    facts: Facts,
    passed: bool | None,  # noqa: FBT001 - a table of verdicts
) -> None:
    assert Plausible().passed(facts) is passed
    assert Plausible().score(facts) == (None if passed is None else int(passed))
