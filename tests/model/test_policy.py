"""What a team requires of a change."""

import pytest

from steelyard.errors import DomainError
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.verdict import GateRule


@pytest.mark.parametrize(("metric", "margin"), [(Metric.PASS, 1.5), (Metric.PASS, 0.0), (Metric.COST, 0.0)])
def test_a_margin_without_meaning_is_refused(metric: Metric, margin: float) -> None:
    with pytest.raises(DomainError, match=f"the margin of {metric.value}"):
        Requirement(metric=metric, margin=margin)


def test_a_cost_may_be_allowed_to_double() -> None:
    assert Requirement(metric=Metric.COST, margin=1.5).margin == 1.5


def test_a_policy_with_a_critical_case_alone_is_not_empty() -> None:
    assert GatePolicy().is_empty
    assert not GatePolicy(critical=("login",)).is_empty
    assert not GatePolicy(history=1).is_empty


def test_a_history_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(DomainError, match="from 0"):
        GatePolicy(history=-1)


def test_a_margin_in_points_is_refused_with_what_to_write() -> None:
    with pytest.raises(DomainError, match=r"0.*1.*points"):
        GateRule(margin=5.0)
