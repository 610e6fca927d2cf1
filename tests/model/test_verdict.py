"""A gate's rule refuses values that no test can work with."""

import pytest

from steelyard.errors import DomainError
from steelyard.model.verdict import LEAST_ALPHA, GateRule


@pytest.mark.parametrize("alpha", [0.0, LEAST_ALPHA / 2, 0.5, 1.0])
def test_an_alpha_outside_the_range_is_refused(alpha: float) -> None:
    with pytest.raises(DomainError, match="alpha"):
        GateRule(alpha=alpha)


@pytest.mark.parametrize("alpha", [LEAST_ALPHA, 0.499])
def test_an_alpha_at_the_ends_of_the_range_is_taken(alpha: float) -> None:
    assert GateRule(alpha=alpha).alpha == alpha
