"""Making of one sample's facts what a report counts."""

from fractions import Fraction

import pytest

from steelyard.errors import InputError
from steelyard.metrics import appraisal
from steelyard.metrics.appraisal import NO_EVIDENCE, Appraiser, appraise
from steelyard.metrics.rules import GivenScore
from steelyard.metrics.scoring import Accuracy, BuildTestLint, Composite, PartWeights, Plausible
from steelyard.model.outcome import Classification, Facts

BUILT = Facts(built=True, tests_passed=3, tests_failed=1, lint_warnings=2)


def test_facts_become_a_score_in_micro_points_and_a_share_of_tests() -> None:
    found = appraise(BUILT, BuildTestLint())

    assert (found.passed, found.kind) == (False, Classification.FAIL)
    assert (found.score_micro, found.tests_micro) == (855_000, 750_000)
    assert (found.untested, found.unlinted) == (False, False)


def test_what_the_input_says_outright_goes_before_what_the_rule_would_infer() -> None:
    found = appraise(Facts(passed=True, built=True, tests_passed=0, tests_failed=4), BuildTestLint())

    assert (found.passed, found.kind) == (True, Classification.PASS)


def test_a_classification_decides_where_nothing_is_said_outright() -> None:
    found = appraise(Facts(classification=Classification.TIMEOUT, built=True), Plausible())

    assert (found.passed, found.kind) == (False, Classification.TIMEOUT)


@pytest.mark.parametrize(
    ("kind", "passed"),
    [(Classification.REFUSAL, True), (Classification.PASS, False), (Classification.FAIL, True)],
)
def test_a_classification_that_contradicts_passed_is_refused(kind: Classification, passed: bool) -> None:  # noqa: FBT001  # a column of the table
    with pytest.raises(
        InputError, match=f"the classification is {kind}, but passed is {str(passed).lower()}"
    ):
        appraise(Facts(classification=kind, passed=passed), Accuracy())


@pytest.mark.parametrize("passed", [None, True, False])
def test_our_own_error_is_no_evidence_whatever_else_is_said(passed: bool | None) -> None:  # noqa: FBT001  # as above
    assert appraise(Facts(classification=Classification.ERROR, passed=passed), Accuracy()) == NO_EVIDENCE


@pytest.mark.parametrize("rule", [BuildTestLint(), Composite(), Accuracy(), Plausible(), GivenScore()])
def test_no_facts_are_no_evidence_under_any_rule(
    rule: BuildTestLint | Composite | Accuracy | Plausible | GivenScore,
) -> None:
    assert appraise(Facts(), rule) == NO_EVIDENCE


def test_a_failure_without_a_kind_is_a_build_error_only_if_it_did_not_build() -> None:
    unbuilt = appraise(Facts(built=False), BuildTestLint())
    failed = appraise(Facts(passed=False), Plausible())

    assert (unbuilt.kind, unbuilt.score_micro, unbuilt.tests_micro) == (Classification.BUILD_ERROR, 0, 0)
    assert failed.kind is Classification.FAIL


def test_a_built_answer_without_tests_is_flagged() -> None:
    found = appraise(Facts(built=True, tests_passed=0, tests_failed=0, lint_warnings=0), BuildTestLint())

    assert (found.untested, found.tests_micro, found.passed) == (True, 0, False)


@pytest.mark.parametrize("facts", [Facts(passed=True, tests_passed=1), Facts(passed=True, tests_failed=1)])
def test_half_a_count_of_tests_is_no_share(facts: Facts) -> None:
    found = appraise(facts, Plausible())

    assert (found.tests_micro, found.untested) == (None, False)


def test_missing_lint_is_flagged_where_lint_counts() -> None:
    facts = Facts(built=True, tests_passed=1, tests_failed=0)

    assert appraise(facts, BuildTestLint()).unlinted
    assert not appraise(facts, BuildTestLint(weights=PartWeights(lint=0))).unlinted
    assert not appraise(facts, Plausible()).unlinted
    assert not appraise(Facts(built=False), BuildTestLint()).unlinted


def test_scores_are_rounded_half_to_even_to_whole_micro_points() -> None:
    third = appraise(Facts(passed=True, impl_rate=Fraction(1, 3)), Composite(pass_weight=0, impl_weight=1))
    half = appraise(Facts(passed=True, impl_rate=Fraction(5, 10**7)), Composite(pass_weight=0, impl_weight=1))

    assert (third.score_micro, half.score_micro) == (333_333, 0)


def test_an_appraiser_says_the_same_however_little_it_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appraisal, "REMEMBERED", 2)
    facts = [Facts(built=True, tests_passed=number, tests_failed=1) for number in range(5)]
    appraiser = Appraiser(BuildTestLint())

    assert [appraiser.of(one) for one in facts * 2] == [appraise(one, BuildTestLint()) for one in facts * 2]


def test_equal_facts_are_appraised_once() -> None:
    appraiser = Appraiser(BuildTestLint())

    assert appraiser.of(Facts(built=False)) is appraiser.of(Facts(built=False))


def test_what_is_no_evidence_is_flagged_for_nothing() -> None:
    found = appraise(Facts(classification=Classification.ERROR, built=True), BuildTestLint())

    assert (found.passed, found.kind) == (None, Classification.ERROR)
    assert (found.score_micro, found.tests_micro, found.untested, found.unlinted) == (
        None,
        None,
        False,
        False,
    )
