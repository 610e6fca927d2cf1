from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.sequential import (
    Step,
    log_e_value,
    sprt_step,
)
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried


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


@pytest.mark.parametrize("share", [0.5, 1.0, 0.3])
def test_a_share_of_losses_that_is_no_drop_is_refused(share: float) -> None:
    with pytest.raises(DomainError, match="between 1/2 and 1"):
        log_e_value(losses=1, wins=1, loss_share=share)


@pytest.mark.parametrize(("losses", "wins"), [(-1, 0), (0, -1)])
def test_negative_pairs_are_refused(losses: int, wins: int) -> None:
    with pytest.raises(DomainError, match="not negative"):
        log_e_value(losses=losses, wins=wins)


@pytest.mark.parametrize(("alpha", "accept"), [(0, 0.08), (0.05, 1), (2, 0.08)])
def test_impossible_thresholds_are_refused(alpha: float, accept: float) -> None:
    with pytest.raises(DomainError, match="alpha and accept"):
        sprt_step(losses=1, wins=1, alpha=alpha, accept=accept)
