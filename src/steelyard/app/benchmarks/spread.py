"""Take a part of a benchmark's tasks, the same part each time."""

from collections.abc import Sequence

from steelyard.model.case import Case


def spread(cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Return so many cases, evenly spread over all of them."""
    step = max(len(cases) / max(count, 1), 1.0)
    return tuple(cases[int(place * step)] for place in range(min(count, len(cases))))
