"""The rule that scores by building, tests and lint."""

from fractions import Fraction

import pytest

from steelyard.errors import DomainError
from steelyard.metrics.scoring import SEED_WEIGHTS, BuildTestLint, PartWeights, build_test_lint_score
from steelyard.model.outcome import FAILURES, Classification, Facts
from steelyard.model.units import Number
from tests.golden_values import Row, golden_rows

SEED_SHARES = {"build": "0.4", "tests": "0.5", "lint": "0.1"}
CUT_SHORT = [kind for kind in FAILURES if kind is not Classification.FAIL]


@pytest.mark.parametrize("row", golden_rows("weighted_score"), ids=str)
def test_seed_000_score_formula_equals_the_golden_value_exactly(row: Row) -> None:
    score = build_test_lint_score(
        built=row["compiles"], passed=row["passed"], failed=row["failed"], warnings=row["warnings"]
    )
    facts = Facts(
        built=row["compiles"],
        tests_passed=row["passed"],
        tests_failed=row["failed"],
        lint_warnings=row["warnings"],
    )

    assert score == Fraction(row["exact"]) == BuildTestLint().score(facts)
    assert float(score) == row["value"]


def test_the_weights_of_the_seed_are_the_default() -> None:
    assert SEED_WEIGHTS.as_mapping() == {part: Fraction(share) for part, share in SEED_SHARES.items()}
    assert SEED_WEIGHTS.warning_penalty == Fraction("0.1")
    assert BuildTestLint().weights is SEED_WEIGHTS


def test_other_weights_are_divided_by_their_sum() -> None:
    weights = PartWeights(build=1, tests=2, lint=1, warning_penalty=0.5)

    score = build_test_lint_score(built=True, passed=1, failed=1, warnings=1, weights=weights)

    assert score == Fraction(1 * 2 + 2 * 1 + 1 * 1, 8)
    assert BuildTestLint(weights=weights).score(
        Facts(built=True, tests_passed=1, tests_failed=1, lint_warnings=1)
    ) == Fraction(5, 8)


def test_a_build_that_fails_scores_0_whatever_else_was_seen() -> None:
    facts = Facts(built=False, tests_passed=5)

    assert BuildTestLint().score(facts) == 0
    assert BuildTestLint().passed(facts) is False
    assert build_test_lint_score(built=False, passed=9, failed=0, warnings=None) == 0


@pytest.mark.parametrize(
    "facts",
    [
        Facts(tests_passed=1, tests_failed=0, lint_warnings=0),
        Facts(built=True, tests_failed=0, lint_warnings=0),
        Facts(built=True, tests_passed=1, lint_warnings=0),
        Facts(classification=Classification.PASS),
        Facts(classification=Classification.FAIL, built=True),
    ],
)
def test_without_the_build_or_the_tests_there_is_no_score(facts: Facts) -> None:
    assert BuildTestLint().score(facts) is None


def test_no_tests_score_0_for_the_tests_part_and_never_pass() -> None:
    facts = Facts(built=True, tests_passed=0, tests_failed=0, lint_warnings=0)

    assert BuildTestLint().score(facts) == Fraction(1, 2)
    assert BuildTestLint().passed(facts) is False


def test_unknown_lint_is_left_out_and_flagged_and_never_taken_as_clean() -> None:
    facts = Facts(built=True, tests_passed=3, tests_failed=1)

    score = BuildTestLint().score(facts)

    assert score == Fraction(Fraction("0.4") + Fraction("0.5") * Fraction(3, 4), Fraction("0.9"))
    assert BuildTestLint().lint_unknown(facts)


@pytest.mark.parametrize(
    "facts",
    [
        Facts(built=True, tests_passed=3, tests_failed=1, lint_warnings=0),
        Facts(built=True, tests_passed=3),
        Facts(built=False),
        Facts(classification=Classification.REFUSAL),
        Facts(classification=Classification.ERROR, built=True, tests_passed=3, tests_failed=1),
        Facts(),
    ],
)
def test_lint_is_not_flagged_where_it_takes_no_part(facts: Facts) -> None:
    assert BuildTestLint().lint_unknown(facts) is False


def test_lint_of_weight_0_is_never_missed() -> None:
    rule = BuildTestLint(weights=PartWeights(build=1, tests=1, lint=0))
    facts = Facts(built=True, tests_passed=1, tests_failed=0)

    assert rule.score(facts) == 1
    assert rule.lint_unknown(facts) is False


def test_lint_alone_and_unknown_has_no_score() -> None:
    rule = BuildTestLint(weights=PartWeights(build=0, tests=0, lint=1))
    facts = Facts(built=True, tests_passed=1, tests_failed=0)

    assert rule.score(facts) is None
    assert rule.lint_unknown(facts) is False
    assert rule.score(Facts(built=True, tests_passed=1, tests_failed=0, lint_warnings=3)) == Fraction("0.7")


@pytest.mark.parametrize(
    "weights", [PartWeights(build=0, tests=1, lint=1), PartWeights(build=1, tests=0, lint=1)]
)
def test_one_known_part_with_a_weight_is_enough_for_a_score(weights: PartWeights) -> None:
    score = BuildTestLint(weights=weights).score(Facts(built=True, tests_passed=1, tests_failed=0))

    assert score == 1


def test_the_function_refuses_to_weigh_unknown_lint_alone() -> None:
    with pytest.raises(DomainError, match=r"weights of build, tests.*0$"):
        build_test_lint_score(
            built=True, passed=1, failed=0, warnings=None, weights=PartWeights(build=0, tests=0, lint=1)
        )


@pytest.mark.parametrize(
    ("facts", "passed"),
    [
        (Facts(built=True, tests_passed=1, tests_failed=0), True),
        (Facts(built=True, tests_passed=1, tests_failed=0, lint_warnings=99), True),
        (Facts(built=True, tests_passed=9, tests_failed=1), False),
        (Facts(built=True, tests_passed=0, tests_failed=0), False),
        (Facts(built=True, tests_failed=1), False),
        (Facts(built=False), False),
        (Facts(tests_failed=1), False),
        (Facts(tests_passed=0), False),
        (Facts(built=True, tests_passed=1), None),
        (Facts(built=True, tests_failed=0), None),
        (Facts(tests_passed=1, tests_failed=0), None),
        (Facts(classification=Classification.PASS), None),
        (Facts(classification=Classification.FAIL), None),
        (Facts(classification=Classification.FAIL, built=True, tests_passed=1, tests_failed=0), True),
        (Facts(classification=Classification.TIMEOUT, built=True, tests_passed=1, tests_failed=0), False),
    ],
)
def test_passed_means_built_and_all_graded_tests_pass_and_at_least_one_ran(
    facts: Facts,
    passed: bool | None,  # noqa: FBT001 - a table of verdicts
) -> None:
    assert BuildTestLint().passed(facts) is passed


@pytest.mark.parametrize("kind", CUT_SHORT)
def test_an_answer_that_was_cut_short_and_left_no_facts_scores_0(kind: Classification) -> None:
    assert BuildTestLint().score(Facts(classification=kind)) == 0
    assert BuildTestLint().score(Facts(classification=kind, tests_passed=3, tests_failed=0)) == 0


@pytest.mark.parametrize("facts", [Facts(), Facts(tests_passed=3), Facts(tests_failed=0)])
def test_an_answer_that_built_and_was_cut_short_gets_nothing_for_half_seen_tests(facts: Facts) -> None:
    seen = Facts(
        classification=Classification.TIMEOUT,
        built=True,
        lint_warnings=0,
        tests_passed=facts.tests_passed,
        tests_failed=facts.tests_failed,
    )

    assert BuildTestLint().score(seen) == Fraction(1, 2)


def test_an_answer_that_was_cut_short_keeps_the_tests_that_were_seen() -> None:
    seen = Facts(
        classification=Classification.CRASH, built=True, lint_warnings=0, tests_passed=1, tests_failed=1
    )

    assert BuildTestLint().score(seen) == Fraction(3, 4)


@pytest.mark.parametrize("name", ["passed", "failed", "warnings"])
def test_negative_counts_are_refused_by_name(name: str) -> None:
    seen = {"passed": 1, "failed": 1, "warnings": 1, name: -1}

    with pytest.raises(DomainError, match=rf"^{name} must not be negative, got -1$"):
        build_test_lint_score(
            built=True, passed=seen["passed"], failed=seen["failed"], warnings=seen["warnings"]
        )


@pytest.mark.parametrize(
    ("build", "tests", "lint", "penalty", "message"),
    [
        (0, 0, 0, 0.1, "the weights of build, lint, tests sum to 0"),
        (-1, 1, 1, 0.1, "weight 'build' must not be negative, got -1"),
        (1, -1, 1, 0.1, "weight 'tests' must not be negative, got -1"),
        (1, 1, -1, 0.1, "weight 'lint' must not be negative, got -1"),
        (1, 1, 1, -0.1, "warning_penalty must not be negative, got -0.1"),
        (1, 1, float("nan"), 0.1, "expected a finite number, got nan"),
    ],
)
def test_impossible_weights_are_refused(
    build: Number, tests: Number, lint: Number, penalty: Number, message: str
) -> None:
    with pytest.raises(DomainError) as refusal:
        PartWeights(build=build, tests=tests, lint=lint, warning_penalty=penalty)

    assert str(refusal.value) == message
