import re
from dataclasses import replace

import pytest

from steelyard.model.estimate import Estimate
from steelyard.model.options import Errors
from steelyard.render.charts.front import front
from tests.analysis.reports import report, subject


def test_very_small_sums_are_written_in_full_beside_the_axis() -> None:
    cheap, dear = (
        replace(subject(name), total_cost_usd=Estimate.of(cost))
        for name, cost in (("a", 0.0006), ("b", 0.09))
    )

    drawn = str(front(report(cheap, dear)))

    assert re.search(r">\$0\.0000\d<|>\$0\.0001<", drawn)
    assert not re.search(r"\$\d+e-", drawn)


@pytest.mark.parametrize(("errors", "cost"), [(Errors.EXCLUDE, "$0.02"), (Errors.FAIL, "$0.025")])
def test_a_sample_that_ended_in_our_error_is_counted_once(errors: Errors, cost: str) -> None:
    one = subject("a")
    broken = replace(
        one, samples=4, coverage=replace(one.coverage, errored=1), total_cost_usd=Estimate.of(0.1)
    )
    other = replace(subject("b"), samples=4, total_cost_usd=Estimate.of(0.2))
    drawn = report(broken, other)
    drawn = replace(drawn, settings=replace(drawn.settings, errors=errors))

    assert f"for {cost}" in str(front(drawn))
