from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.sequential import (
    Step,
    discordance_z,
    log_e_value,
    look,
    obrien_fleming,
    operation,
    sprt_step,
)
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried

# One-sided, alpha, looks -> last critical value: Jennison and Turnbull 2000, table 2.3 (two-sided 2 alpha).
PUBLISHED = [
    (0.05, 2, 1.678),
    (0.05, 5, 1.751),
    (0.05, 10, 1.801),
    (0.025, 2, 1.977),
    (0.025, 3, 2.004),
    (0.025, 5, 2.040),
    (0.025, 10, 2.087),
    (0.005, 2, 2.580),
    (0.005, 5, 2.621),
    (0.005, 10, 2.660),
]


# --- group-sequential bounds ------------------------------------------------------------------------


@pytest.mark.parametrize(("alpha", "looks", "critical"), PUBLISHED)
def test_the_bounds_are_the_published_ones(alpha: float, looks: int, critical: float) -> None:
    bounds = obrien_fleming(looks=looks, alpha=alpha)

    assert bounds.upper[-1] == pytest.approx(critical, abs=6e-4)
    assert bounds.upper[0] == pytest.approx(bounds.upper[-1] * looks**0.5)


def test_one_look_is_the_ordinary_test() -> None:
    bounds = obrien_fleming(looks=1, alpha=0.05)

    assert bounds.upper == pytest.approx((stats.norm.ppf(0.95),), rel=1e-9)
    assert bounds.lower == (None,)


@pytest.mark.parametrize("looks", [2, 5, 20])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_the_bounds_spend_alpha_and_giving_up_spends_no_more(looks: int, alpha: float) -> None:
    without = operation(obrien_fleming(looks=looks, alpha=alpha, futility=False))
    with_futility = operation(obrien_fleming(looks=looks, alpha=alpha))

    assert without.reject == pytest.approx(alpha, rel=1e-9)
    assert 0.85 * alpha < with_futility.reject < alpha


@pytest.mark.parametrize("looks", [2, 5, 20])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_giving_up_saves_samples_and_costs_little_power(looks: int, alpha: float) -> None:
    drift = stats.norm.ppf(1 - alpha) + stats.norm.ppf(0.9)
    bounds = obrien_fleming(looks=looks, alpha=alpha)

    assert operation(bounds).expected_share < 0.75
    assert operation(bounds, drift=drift).reject > 0.85


def test_the_futility_bounds_of_five_looks_are_the_tuned_ones() -> None:
    first, *middle, last = obrien_fleming(looks=5, alpha=0.05).lower

    assert middle == pytest.approx([-0.2, 0.45, 0.95], abs=5e-3)
    assert (first, last) == (None, None)


def test_the_operation_agrees_with_drawn_paths() -> None:
    rng = np.random.default_rng(2)
    bounds = obrien_fleming(looks=4, alpha=0.05)
    drift = 1.5
    z = np.cumsum(rng.standard_normal((200_000, 4)) + drift / 2, axis=1) / np.sqrt([1, 2, 3, 4])
    lower = np.array([-np.inf if bound is None else bound for bound in bounds.lower])
    stops = (z >= bounds.upper) | (z < lower)
    stops[:, -1] = True
    first = stops.argmax(axis=1)

    found = operation(bounds, drift=drift)

    rejected = z[np.arange(len(z)), first] >= np.array(bounds.upper)[first]
    assert found.reject == pytest.approx(rejected.mean(), abs=0.004)
    assert found.expected_share == pytest.approx((first.mean() + 1) / 4, abs=0.004)


def test_later_looks_ask_for_less() -> None:
    upper = obrien_fleming(looks=8).upper

    assert all(earlier > later for earlier, later in pairwise(upper))


@pytest.mark.parametrize(
    ("number", "z", "step"),
    [
        (1, 3.95, Step.DROP),
        (1, -3.0, Step.CONTINUE),
        (2, -0.3, Step.NO_DROP),
        (3, 1.0, Step.CONTINUE),
        (5, 1.76, Step.DROP),
        (5, 1.74, Step.NO_DROP),
    ],
)
def test_a_look_says_what_to_do(number: int, z: float, step: Step) -> None:
    assert look(obrien_fleming(), number=number, z=z) is step


@pytest.mark.parametrize("number", [0, 6])
def test_there_is_no_look_beyond_the_last(number: int) -> None:
    with pytest.raises(DomainError, match=r"5.*looks"):
        look(obrien_fleming(), number=number, z=0.0)


@pytest.mark.parametrize(("looks", "alpha"), [(0, 0.05), (21, 0.05), (5, 0.0), (5, 0.5)])
def test_impossible_bounds_are_refused(looks: int, alpha: float) -> None:
    with pytest.raises(DomainError, match="1 to 20 looks"):
        obrien_fleming(looks=looks, alpha=alpha)


# --- e-values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", golden_rows("wald_sprt_and_e"), ids=str)
def test_the_e_value_equals_the_golden_value(row: Row) -> None:
    evidence = log_e_value(losses=row["losses"], wins=row["wins"], loss_share=float(row["theta1"]))

    assert evidence == pytest.approx(row["log_e"], rel=1e-12)
    assert np.exp(evidence) == pytest.approx(row["e"], rel=1e-12)


@unhurried
@given(st.integers(0, 30), st.floats(0.51, 0.99))
def test_without_a_change_the_e_value_is_one_on_average(pairs: int, share: float) -> None:
    losses = np.arange(pairs + 1)
    chances = stats.binom.pmf(losses, pairs, 0.5)
    values = [
        np.exp(log_e_value(losses=int(lost), wins=pairs - int(lost), loss_share=share)) for lost in losses
    ]

    assert float(chances @ values) == pytest.approx(1, rel=1e-9)


@unhurried
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_the_evidence_of_independent_runs_adds_up(a: int, b: int, c: int, d: int) -> None:
    together = log_e_value(losses=a + c, wins=b + d)

    assert together == pytest.approx(
        log_e_value(losses=a, wins=b) + log_e_value(losses=c, wins=d), rel=1e-9, abs=1e-9
    )


def test_looking_after_every_pair_raises_no_more_false_alarms_than_promised() -> None:
    rng = np.random.default_rng(6)
    losses = np.cumsum(rng.random((4000, 400)) < 0.5, axis=1)
    wins = np.arange(1, 401) - losses
    evidence = losses * log(1.2) + wins * log(0.8)

    assert np.mean((evidence >= log(20)).any(axis=1)) < 0.05


@pytest.mark.parametrize(
    ("losses", "wins", "step"), [(17, 0, Step.DROP), (16, 0, Step.CONTINUE), (0, 12, Step.NO_DROP)]
)
def test_the_ratio_test_says_what_to_do(losses: int, wins: int, step: Step) -> None:
    assert sprt_step(losses=losses, wins=wins) is step


def test_discordant_pairs_make_z() -> None:
    assert discordance_z(losses=3, wins=1) == 1
    assert discordance_z(losses=0, wins=0) == 0


@pytest.mark.parametrize("share", [0.5, 1.0, 0.3])
def test_a_share_of_losses_that_is_no_drop_is_refused(share: float) -> None:
    with pytest.raises(DomainError, match="between 1/2 and 1"):
        log_e_value(losses=1, wins=1, loss_share=share)


@pytest.mark.parametrize(("losses", "wins"), [(-1, 0), (0, -1)])
def test_negative_pairs_are_refused(losses: int, wins: int) -> None:
    with pytest.raises(DomainError, match="not negative"):
        discordance_z(losses=losses, wins=wins)


@pytest.mark.parametrize(("alpha", "accept"), [(0, 0.08), (0.05, 1), (2, 0.08)])
def test_impossible_thresholds_are_refused(alpha: float, accept: float) -> None:
    with pytest.raises(DomainError, match="alpha and accept"):
        sprt_step(losses=1, wins=1, alpha=alpha, accept=accept)
