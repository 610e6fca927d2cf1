"""Select a deterministic part of a benchmark's tasks."""

from collections.abc import Sequence

from steelyard.model.case import Case


def spread(cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Select a number of cases, evenly spread."""
    step = max(len(cases) / max(count, 1), 1.0)
    return tuple(cases[int(index * step)] for index in range(min(count, len(cases))))
