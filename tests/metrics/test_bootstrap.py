import numpy as np
import pytest
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.bootstrap import (
    POISSON_CUTS,
    RankInterval,
    bootstrap_means,
    front_membership,
    poisson_counts,
    poisson_weights,
    rank_intervals,
)

IDS = [f"case-{number}" for number in range(200)]


# --- weights ----------------------------------------------------------------------------------------


def test_the_weights_are_poisson_with_mean_one() -> None:
    weights = poisson_weights([str(number) for number in range(500)], replicates=400)

    seen = np.bincount(weights.ravel(), minlength=12)[:6]
    expected = stats.poisson.pmf(np.arange(6), 1) * weights.size
    assert stats.chisquare(seen, expected * seen.sum() / expected.sum()).pvalue > 1e-3
    assert weights.mean() == pytest.approx(1, abs=0.01)
    assert weights.var() == pytest.approx(1, abs=0.02)


def test_the_weights_of_different_cases_and_replicates_are_uncorrelated() -> None:
    weights = poisson_weights(IDS, replicates=200).astype(float)

    between_cases = np.corrcoef(weights)[~np.eye(200, dtype=bool)]
    between_replicates = np.corrcoef(weights.T)[~np.eye(200, dtype=bool)]
    assert abs(between_cases).max() < 0.4
    assert abs(between_replicates).max() < 0.4
    assert abs(between_cases.mean()) < 0.01


def test_the_cuts_are_the_poisson_distribution_in_64_bits() -> None:
    shares = POISSON_CUTS.astype(float) / 2.0**64

    assert shares[:15] == pytest.approx(stats.poisson.cdf(np.arange(15), 1), rel=1e-12)


def test_a_look_at_the_first_bits_gives_the_count_that_a_search_gives() -> None:
    drawn = np.random.default_rng(7).integers(0, 2**64 - 1, size=(300, 1000), dtype=np.uint64, endpoint=True)
    beside_cuts = np.concatenate(
        [POISSON_CUTS - np.uint64(1), POISSON_CUTS, POISSON_CUTS[:-1] + np.uint64(1)]
    )

    for uniform in (drawn, beside_cuts, beside_cuts & ~np.uint64(2**48 - 1)):
        assert np.array_equal(poisson_counts(uniform), np.searchsorted(POISSON_CUTS, uniform, side="right"))


def test_equal_cases_drawn_again_have_equal_means() -> None:
    many = [f"case-{number}" for number in range(5000)]  # more than are weighed at a time
    values = np.random.default_rng(8).random((2, len(many)))
    weights = poisson_weights(many, replicates=20)

    first, second = (bootstrap_means(values, many, replicates=20) for _ in range(2))

    assert np.array_equal(first, second)
    assert first == pytest.approx(values @ weights / weights.sum(axis=0), rel=1e-12)


def test_a_case_has_its_weights_whoever_stands_beside_it() -> None:
    alone = poisson_weights(["case-7"], replicates=50)

    among_others = poisson_weights(IDS, replicates=50)

    assert np.array_equal(among_others[7], alone[0])


def test_more_replicates_leave_the_first_ones_as_they_were() -> None:
    assert np.array_equal(poisson_weights(IDS, replicates=50)[:, :10], poisson_weights(IDS, replicates=10))


def test_another_seed_gives_other_weights() -> None:
    assert not np.array_equal(poisson_weights(IDS, seed=1), poisson_weights(IDS, seed=2))


# --- means ------------------------------------------------------------------------------------------


def test_the_bootstrap_error_of_a_mean_is_its_standard_error() -> None:
    values = np.random.default_rng(1).random((1, 2000))
    ids = [str(number) for number in range(2000)]

    means = bootstrap_means(values, ids, replicates=2000)

    assert means.std() == pytest.approx(values.std(ddof=1) / np.sqrt(2000), rel=0.08)
    assert means.mean() == pytest.approx(values.mean(), abs=0.001)


def test_cases_in_chunks_are_the_same_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random((2, 200))
    whole = bootstrap_means(values, IDS, replicates=30)
    monkeypatch.setattr("steelyard.metrics.bootstrap.CHUNK", 7)

    assert bootstrap_means(values, IDS, replicates=30) == pytest.approx(whole, rel=1e-12)


def test_models_are_drawn_alike_so_that_a_constant_lead_stays_constant() -> None:
    values = np.random.default_rng(1).random(200)

    means = bootstrap_means(np.stack([values, values + 0.1]), IDS, replicates=100)

    assert means[1] - means[0] == pytest.approx(np.full(100, 0.1), rel=1e-9)


def test_a_replicate_that_draws_nothing_has_the_plain_mean() -> None:
    means = bootstrap_means(np.array([[0.25]]), ["only"], replicates=100)

    assert np.all(means == 0.25)


@pytest.mark.parametrize(("columns", "ids"), [(3, ["a", "b"]), (0, [])])
def test_values_without_their_cases_are_refused(columns: int, ids: list[str]) -> None:
    with pytest.raises(DomainError, match="column"):
        bootstrap_means(np.zeros((1, columns)), ids)


# --- ranks ------------------------------------------------------------------------------------------


def test_clear_models_have_clear_ranks_and_close_ones_share() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.3, (3, 200))
    values = np.array([[0.2], [0.71], [0.7]]) + noise
    means = bootstrap_means(values, IDS, replicates=500)

    worst, *close = rank_intervals(values.mean(axis=1), means)

    assert worst == RankInterval(rank=3, low=3, high=3)
    assert [(model.low, model.high) for model in close] == [(1, 2), (1, 2)]


def test_equal_models_share_all_their_ranks() -> None:
    means = np.full((3, 10), 0.5)

    intervals = rank_intervals(means[:, 0], means)

    assert intervals == [RankInterval(rank=1, low=1, high=3)] * 3


def test_a_dearer_and_worse_model_is_dominated() -> None:
    costs = np.array([[1.0] * 10, [2.0] * 10, [3.0] * 10])
    scores = np.array([[0.5] * 10, [0.4] * 10, [0.9] * 10])

    cheap, poor, good = front_membership(costs, scores)

    assert (cheap.on_front, poor.on_front, good.on_front) == (1.0, 0.0, 1.0)
    assert (cheap.is_dominated, poor.is_dominated, good.is_dominated) == (False, True, False)


def test_twins_do_not_dominate_each_other() -> None:
    members = front_membership(np.ones((2, 5)), np.ones((2, 5)))

    assert [member.on_front for member in members] == [1.0, 1.0]


def test_being_beaten_by_different_models_is_not_being_dominated_by_one() -> None:
    costs = np.array([[2.0, 2.0], [1.0, 3.0], [3.0, 1.0]])
    scores = np.array([[0.5, 0.5], [0.9, 0.9], [0.9, 0.9]])

    beaten = front_membership(costs, scores)[0]

    assert beaten.on_front == 0
    assert not beaten.is_dominated


def test_costs_and_scores_of_different_replicates_are_refused() -> None:
    with pytest.raises(DomainError, match="share their replicates"):
        front_membership(np.ones((2, 5)), np.ones((2, 6)))
