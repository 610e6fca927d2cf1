"""Ratings times weights, several readings into one, and when they disagree."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.consensus import (
    Disagreement,
    category_scores,
    consensus_ratings,
    disagreements,
    rubric_score,
)
from steelyard.model.judgement import Ratings
from steelyard.model.rubric import Category, ConsensusPlan, Item, Rubric
from steelyard.sources.rubric.read import read_rubric

HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)
shares = st.fractions(0, 1, max_denominator=100)
ratings = st.none() | shares


def rubric_of(*weights: list[int]) -> Rubric:
    """Return a rubric with a category for each list of weights: its own, then those of its items."""
    return Rubric(
        id="r",
        categories=tuple(
            Category(
                id=str(place),
                weight=Fraction(own),
                items=tuple(
                    Item(id=str(number), description="d", weight=Fraction(one))
                    for number, one in enumerate(inner)
                ),
            )
            for place, (own, *inner) in enumerate(weights)
        ),
    )


def test_the_ten_categories_of_seed_002_weigh_as_its_protocol_says() -> None:
    rubric = read_rubric()
    # Everything about functional correctness (2.0) is met, and half of completeness (1.5), and nothing else.
    met = {"functional_correctness": ONE, "completeness": HALF}
    given_ratings = [met.get(category.id, NONE) for category in rubric.categories for _ in category.items]

    assert rubric_score(tuple(given_ratings), rubric) == (2 + Fraction(3, 4)) / Fraction("9.5")


def test_without_a_cleanup_script_to_rate_the_other_weights_share_its_place() -> None:
    rubric = read_rubric()
    given_ratings = [
        None if category.id == "cleanup_script_quality" else ONE if category.id == "completeness" else NONE
        for category in rubric.categories
        for _ in category.items
    ]

    assert rubric_score(tuple(given_ratings), rubric) == Fraction("1.5") / Fraction("8.5")


@pytest.mark.parametrize(
    ("rated", "parts", "whole"),
    [
        ((ONE, NONE, HALF), (Fraction(3, 4), HALF), Fraction(2, 3)),
        ((None, NONE, HALF), (NONE, HALF), Fraction(1, 6)),
        ((None, None, HALF), (None, HALF), HALF),
        ((ONE, NONE, None), (Fraction(3, 4), None), Fraction(3, 4)),
        ((None, None, None), (None, None), None),
    ],
)
def test_what_does_not_apply_takes_its_weight_along(
    rated: Ratings, parts: Ratings, whole: Fraction | None
) -> None:
    rubric = rubric_of([2, 3, 1], [1, 1])

    assert category_scores(rated, rubric) == parts
    assert rubric_score(rated, rubric) == whole


def test_what_weighs_nothing_is_rated_and_does_not_count() -> None:
    assert rubric_score((ONE, NONE), rubric_of([1, 1, 0])) == ONE
    assert rubric_score((None, NONE), rubric_of([1, 1, 0])) is None
    assert rubric_score((ONE, NONE), rubric_of([1, 1], [0, 1])) == ONE


@given(st.lists(ratings, min_size=3, max_size=3), st.lists(st.integers(1, 9), min_size=5, max_size=5))
def test_a_score_lies_between_the_lowest_and_the_highest_rating(
    rated: list[Fraction | None], weights: list[int]
) -> None:
    score = rubric_score(tuple(rated), rubric_of(weights[:3], weights[3:]))

    known = [rating for rating in rated if rating is not None]
    assert (score is None) == (not known)
    assert score is None or min(known) <= score <= max(known)


@given(st.lists(st.tuples(shares, shares, shares), min_size=1, max_size=6), st.data())
def test_where_everything_applies_consensus_of_ratings_is_consensus_of_scores(
    readings: list[tuple[Fraction, Fraction, Fraction]], data: st.DataObject
) -> None:
    rubric = rubric_of([2, 3, 1], [1, 1])
    sure = data.draw(
        st.lists(st.fractions(Fraction(1, 10), 1), min_size=len(readings), max_size=len(readings))
    )

    agreed = rubric_score(consensus_ratings(readings, sure), rubric)

    scores = [rubric_score(reading, rubric) or NONE for reading in readings]
    assert agreed == sum(score * one for score, one in zip(scores, sure, strict=True)) / sum(sure)


@pytest.mark.parametrize(
    ("rated", "confidences", "agreed"),
    [
        ((ONE, NONE), (HALF, HALF), HALF),
        ((ONE, NONE), (ONE, NONE), ONE),
        ((ONE, NONE), (NONE, NONE), HALF),  # nobody is sure of anything: all count alike
        ((ONE, None), (HALF, HALF), ONE),  # half is not more than half
        ((ONE, None), (HALF, ONE), None),
        ((None, None), (HALF, HALF), None),
        ((ONE, None), (NONE, NONE), ONE),
        ((ONE, None, None), (NONE, NONE, NONE), None),
    ],
)
def test_readings_agree_by_their_confidence(
    rated: Ratings, confidences: Ratings, agreed: Fraction | None
) -> None:
    readings = [(rating,) for rating in rated]

    assert consensus_ratings(readings, [one or NONE for one in confidences]) == (agreed,)


def test_no_readings_agree_on_nothing() -> None:
    assert consensus_ratings([], []) == ()
    assert disagreements([], [], ConsensusPlan()) == ()


@pytest.mark.parametrize(
    ("scores", "confidence", "found"),
    [
        (["0.5", "0.8"], "0.6", []),
        (["0.5", "0.8000001"], "0.6", [Disagreement.RANGE]),
        (["0", "1"], "0.6", [Disagreement.VARIANCE, Disagreement.RANGE]),
        (["0.5"], "0.5999", [Disagreement.CONFIDENCE]),
        (["0.5", None], "1", [Disagreement.APPLICABILITY]),
        ([None, None], "1", []),
    ],
)
def test_readings_disagree_beyond_a_limit_and_not_at_it(
    scores: list[str | None], confidence: str, found: list[Disagreement]
) -> None:
    exact = [None if score is None else Fraction(score) for score in scores]

    assert list(disagreements(exact, [Fraction(confidence)] * len(exact), ConsensusPlan())) == found


def test_the_variance_is_that_of_a_population_and_its_limit_is_exact() -> None:
    # 0 and 1 have the variance 1/4, by a sample's formula it would be 1/2.
    plan = ConsensusPlan(max_variance=Fraction(1, 4), max_range=ONE)

    assert disagreements([NONE, ONE], [ONE, ONE], plan) == ()
