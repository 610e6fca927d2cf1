import math
from collections import Counter
from itertools import product
from statistics import median
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics import letters
from steelyard.metrics.bootstrap import bootstrap_means, poisson_weights
from steelyard.metrics.exact import exact
from steelyard.metrics.grades import PROJECTSCYLLA_2026, letter_grade
from steelyard.metrics.letters import letter_probabilities, mean_letter_probabilities


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["0.5", "0.65", "0.8", "0.85", "0.95", "1"]), min_size=1, max_size=4))
def test_the_odds_are_those_of_all_resamples(scores: list[str]) -> None:
    resamples = list(product([exact(score) for score in scores], repeat=len(scores)))
    expected = Counter(letter_grade(median(resample)) for resample in resamples)

    odds = letter_probabilities(scores)

    for letter, chance in odds.items():
        assert chance == pytest.approx(expected[letter] / len(resamples), abs=1e-9)


@pytest.mark.parametrize("n", [10, 11, 300, 1001, 1002])
def test_the_odds_add_up_and_agree_with_drawing(n: int) -> None:
    rng = np.random.default_rng(n)
    scores = np.round(np.clip(rng.normal(0.85, 0.1, n), 0, 1), 3)
    draws = np.median(scores[rng.integers(0, n, (4000, n))], axis=1)

    odds = letter_probabilities([float(score) for score in scores])

    assert sum(odds.values()) == pytest.approx(1, rel=1e-12)
    assert odds["B"] == pytest.approx(float(np.mean((draws >= 0.85) & (draws < 0.95))), abs=0.04)


def test_equal_runs_leave_no_doubt() -> None:
    odds = letter_probabilities(["0.65"] * 10)

    assert odds == {"A": 0, "B": 0, "C": 0, "D": pytest.approx(1), "F": 0}


def test_the_letters_come_in_the_order_of_the_scale() -> None:
    odds = letter_probabilities([0.5, 0.9], scale=PROJECTSCYLLA_2026)

    assert list(odds) == ["S", "A", "B", "C", "D", "F"]


def test_runs_on_both_sides_of_a_cut_share_the_odds() -> None:
    odds = letter_probabilities(["0.9"] * 5 + ["0.8"] * 5)

    assert odds["B"] > 0.5  # the middle between both, 0.85, is a B
    assert odds["C"] > 0.3


def test_beyond_the_stated_size_the_lower_middle_value_stands_for_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(letters, "PAIRS_UP_TO", 4)
    monkeypatch.setattr(letters, "_middles", letters._middles.__wrapped__)  # nothing remembered from before

    assert letter_probabilities(["0.9"] * 3 + ["0.8"] * 3)["B"] == pytest.approx(0.34375, abs=0.01)


def test_no_runs_have_no_letter() -> None:
    with pytest.raises(DomainError, match="at least one run"):
        letter_probabilities([])


def test_a_mean_of_cases_has_the_odds_of_drawing_other_cases() -> None:
    values, names = [1.0] * 17 + [0.0] * 3, [f"case-{place}" for place in range(20)]
    rng = np.random.default_rng(5)
    drawn = np.array(values)[rng.integers(0, 20, (20_000, 20))].mean(axis=1)

    odds = mean_letter_probabilities(values, names)

    assert sum(odds.values()) == pytest.approx(1)
    assert odds["A"] == pytest.approx(float((drawn >= 0.95 - 1e-9).mean()), abs=0.06)
    assert mean_letter_probabilities(values, names) == odds


def test_a_mean_on_a_cut_reaches_it_within_the_rounding() -> None:
    values, names = [0.6499997] * 6, [str(place) for place in range(6)]

    assert mean_letter_probabilities(values, names)["F"] == 1
    assert mean_letter_probabilities(values, names, rounding=5e-7)["D"] == 1


def test_cases_that_all_score_a_cut_reach_it_whatever_the_noise_of_floats() -> None:
    for cut, letter in [(0.95, "A"), (0.85, "B"), (0.65, "D")]:
        odds = mean_letter_probabilities([cut] * 7, [str(place) for place in range(7)])

        assert odds[letter] == 1


@pytest.mark.parametrize(("passes", "is_drawn"), [(0.99, False), (0.93, False), (0.951, True), (0.949, True)])
def test_cases_are_drawn_only_where_a_cut_is_near_and_the_odds_are_the_same(
    monkeypatch: pytest.MonkeyPatch, passes: float, *, is_drawn: bool
) -> None:
    values = [1.0] * round(20_000 * passes) + [0.0] * round(20_000 * (1 - passes))
    names = [str(place) for place in range(20_000)]
    draw = Mock(wraps=bootstrap_means)
    monkeypatch.setattr(letters, "bootstrap_means", draw)

    odds = mean_letter_probabilities(values, names)

    assert draw.called == is_drawn
    monkeypatch.setattr(letters, "CERTAIN", math.inf)  # now nothing is certain
    assert mean_letter_probabilities(values, names) == odds
    assert draw.call_count == 1 + is_drawn


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("sign", [1, -1])
def test_as_soon_as_a_side_is_certain_no_draw_is_on_the_other(seed: int, sign: int) -> None:
    scores = np.random.default_rng(seed).beta(0.3, 0.3, 300)
    from_the_mean = scores - scores.mean()
    first = next(gap for gap in np.linspace(0, 0.5, 501) if letters._is_certain(from_the_mean + sign * gap))

    drawn = (from_the_mean + sign * first) @ poisson_weights([str(place) for place in range(300)])

    assert 0.1 < first < 0.4
    assert set(np.sign(drawn)) == {sign}


@pytest.mark.parametrize(("n", "has_pairs"), [(2, True), (1000, True), (1001, False), (1002, False)])
def test_two_middle_values_are_told_apart_up_to_a_thousand(n: int, *, has_pairs: bool) -> None:
    middles = letters._middles(n)

    assert any(low != high for low, high, _ in middles) == has_pairs
    assert sum(chance for _, _, chance in middles) == pytest.approx(1, abs=1e-8)
