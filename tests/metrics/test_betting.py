"""Evidence that a drop is below a margin, looked at whenever one likes."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from steelyard.errors import DomainError
from steelyard.metrics.betting import log_drop_stakes, log_e_within, log_stakes, mean_of_logs


def test_pairs_that_agree_and_wins_raise_it_and_losses_lower_it() -> None:
    start = log_e_within(losses=0, wins=0, same=10, margin=0.05)

    assert log_e_within(losses=0, wins=0, same=11, margin=0.05) > start
    assert log_e_within(losses=0, wins=1, same=10, margin=0.05) > start
    assert log_e_within(losses=1, wins=0, same=10, margin=0.05) < start


def test_without_pairs_it_is_one() -> None:
    assert log_e_within(losses=0, wins=0, same=0, margin=0.05) == pytest.approx(0)


@pytest.mark.parametrize("wins", [0.0, 0.1])
def test_at_a_drop_of_the_margin_it_is_one_on_average_in_every_round(wins: float) -> None:
    chances = [wins + 0.05, wins, 1 - 2 * wins - 0.05]
    pairs = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]

    mean = sum(
        chance * exp(log_e_within(losses=lost, wins=won, same=same, margin=0.05))
        for chance, (lost, won, same) in zip(chances, pairs, strict=True)
    )

    assert mean == pytest.approx(1)


@pytest.mark.parametrize("broken", [0, 2])
def test_looked_at_after_every_round_it_passes_a_drop_of_the_margin_once_in_twenty_times_or_less(
    broken: int,
) -> None:
    rng = np.random.default_rng(3)
    before = np.repeat([1.0, 0.7], [20, 20])
    after = before.copy()
    after[:broken] = 0.0
    after[broken:] -= (40 * 0.05 - broken) / (40 - broken)
    passed = 0
    for _ in range(300):
        old, new = rng.random((40, 40)) < before, rng.random((40, 40)) < after
        lost, won = np.cumsum((old & ~new).sum(axis=1)), np.cumsum((~old & new).sum(axis=1))
        pairs = 40 * np.arange(1, 41)
        passed += any(
            log_e_within(losses=int(x), wins=int(y), same=int(n - x - y), margin=0.05) >= -log(0.05)
            for x, y, n in zip(lost, won, pairs, strict=True)
        )
    assert passed / 300 <= 0.08  # one in twenty, and what chance adds in 300 of them


@pytest.mark.parametrize("wrong", [{"losses": -1}, {"margin": 0.0}, {"margin": 1.0}])
def test_impossible_numbers_are_refused(wrong: dict[str, float]) -> None:
    numbers: dict[str, float] = {"losses": 0, "wins": 0, "same": 1, "margin": 0.05, **wrong}

    with pytest.raises(DomainError):
        log_e_within(**numbers)  # type: ignore[arg-type]


def test_a_bet_on_a_drop_does_not_grow_on_average_if_samples_may_change_places() -> None:
    sizes = np.array([0.1, 0.45, 0.9, 1.0, 0.0, 0.3])
    signs = np.array(list(product((-1, 1), repeat=len(sizes))))

    bets = [exp(mean_of_logs(log_drop_stakes(sizes * row))) for row in signs]

    assert np.mean(bets) == pytest.approx(1)
    assert bets[-1] == max(bets)


@pytest.mark.parametrize("margin", [1.0, -0.1])
def test_a_margin_that_is_none_takes_no_bets(margin: float) -> None:
    with pytest.raises(DomainError, match=r"margin.*0.*1"):
        log_stakes(np.zeros(3), margin=margin)
