"""Draw counts of paired runs for property tests, and let slow machines take their time."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from steelyard.metrics.cases import CaseCounts

unhurried = settings(deadline=None)


@st.composite
def runs(draw: st.DrawFn, *, most_cases: int = 12, most_samples: int = 8) -> CaseCounts:
    """Draw one run with its own number of samples for each case."""
    n = draw(st.lists(st.integers(1, most_samples), min_size=1, max_size=most_cases))
    return CaseCounts.of(n=n, c=[draw(st.integers(0, samples)) for samples in n])


@st.composite
def paired_runs(draw: st.DrawFn, *, most_cases: int = 12) -> tuple[CaseCounts, CaseCounts]:
    """Draw two runs of the same cases."""
    baseline = draw(runs(most_cases=most_cases))
    n = [draw(st.integers(1, 8)) for _ in range(len(baseline))]
    return baseline, CaseCounts.of(n=n, c=[draw(st.integers(0, samples)) for samples in n])


def reordered(counts: CaseCounts, order: list[int]) -> CaseCounts:
    """Return the same cases in another order."""
    return counts.take(np.array(order))
