from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.suites import overall_score, pooled_score, suite_score
from tests.golden_values import Row, golden, golden_rows


def accuracies(passed: int, cases: int) -> list[int]:
    """Return one accuracy for each case."""
    return [1] * passed + [0] * (cases - passed)


@pytest.mark.parametrize("row", golden_rows("suite_scores"), ids=str)
def test_the_overall_score_equals_the_golden_value_exactly(row: Row) -> None:
    scores = {f"suite{index}": suite_score(accuracies(*suite)) for index, suite in enumerate(row["suites"])}

    overall = overall_score(scores)

    assert overall == (None if row["overall"] is None else Fraction(row["exact"]))
    assert (None if overall is None else float(overall)) == row["overall"]


def test_seed_004_example_1_a_single_suite() -> None:
    example = golden()["seed_examples"]["suite_json_api"]

    score = suite_score(accuracies(example["pass"], example["pass"] + example["fail"]))

    assert score is not None
    assert float(score) == example["score"]


def test_seed_004_example_2_the_overall_run_score() -> None:
    example = golden()["seed_examples"]["overall"]
    suites = {name: accuracies(*counts) for name, counts in example["suites"].items()}

    scores = {name: suite_score(suite) for name, suite in suites.items()}

    assert {name: float(score or 0) for name, score in scores.items()} == example["suite_scores"]
    assert overall_score(scores) == Fraction(str(example["overall"]))
    assert float(pooled_score(suites.values()) or 0) == example["pooled_micro_average_is_NOT_the_rule"]


def test_an_empty_suite_has_no_score_and_no_part_in_the_overall_one() -> None:
    assert suite_score([]) is None
    assert overall_score({"full": "0.5", "empty": None}) == Fraction(1, 2)
    assert overall_score({"full": "0.5", "empty": None}, weights={"empty": 9}) == Fraction(1, 2)


def test_nothing_scored_has_no_overall_score() -> None:
    assert overall_score({}) is None
    assert overall_score({}, weights={}) is None
    assert overall_score({"empty": None}) is None
    assert pooled_score([]) is None
    assert pooled_score([[], []]) is None


def test_only_suites_of_weight_0_scored_have_no_overall_score() -> None:
    assert overall_score({"ignored": 1, "empty": None}, weights={"ignored": 0}) is None


def test_a_suite_without_a_weight_weighs_1() -> None:
    overall = overall_score({"a": 1, "b": 0, "c": 0}, weights={"a": 2})

    assert overall == Fraction(1, 2)


def test_a_weight_of_0_leaves_a_suite_out() -> None:
    overall = overall_score({"a": 1, "b": 0}, weights={"a": 1, "b": 0})

    assert overall == 1


def test_weights_that_sum_to_0_are_refused() -> None:
    with pytest.raises(DomainError, match=r"weights of a, b.*0$"):
        overall_score({"a": 1, "b": None}, weights={"a": 0, "b": 0})


def test_a_weight_for_an_unknown_suite_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^weights.*x, z$"):
        overall_score({"a": 1}, weights={"z": 1, "x": 1, "a": 1})
    with pytest.raises(DomainError, match="do not exist: z"):
        overall_score({}, weights={"z": 1})


def test_an_accuracy_outside_0_and_1_is_refused() -> None:
    with pytest.raises(DomainError, match=r"^accuracy.*2$"):
        suite_score([1, 2])
    with pytest.raises(DomainError, match=r"score of a.*2$"):
        overall_score({"a": 2})


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdef"), st.fractions(0, 1, max_denominator=1000), min_size=1),
    st.integers(1, 9),
)
def test_equal_weights_are_as_good_as_none(scores: dict[str, Fraction], weight: int) -> None:
    overall = overall_score(scores)

    assert overall == overall_score(scores, weights=dict.fromkeys(scores, weight))
    assert overall is not None
    assert min(scores.values()) <= overall <= max(scores.values())


def test_the_pooled_score_counts_every_case_alike() -> None:
    pooled = pooled_score([accuracies(1, 1), accuracies(0, 999)])

    assert pooled == Fraction(1, 1000)
