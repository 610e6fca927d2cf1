import re
from dataclasses import replace

from steelyard.model.estimate import Estimate
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
