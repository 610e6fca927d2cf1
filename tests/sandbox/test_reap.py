"""What processes have used is told truly, also by a process that is itself large."""

import resource

import pytest

from steelyard.sandbox.reap import total_usage

OURS = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def counts(*, seconds: float = 0.0, peak: int = 0) -> resource.struct_rusage:
    """Return the kernel's counts of a process that has used so much."""
    return resource.struct_rusage((seconds, 0.0, peak, *[0] * 13))


def test_processor_time_is_that_of_both() -> None:
    assert total_usage(counts(seconds=1.5), counts(seconds=0.5)).cpu_s == pytest.approx(2)


def test_the_peak_is_that_of_the_first_process_inside() -> None:
    assert total_usage(counts(peak=OURS // 2), counts(peak=5_000)).peak_memory_bytes == 5_000 * 1024


def test_a_peak_that_may_be_our_own_is_unknown() -> None:
    assert total_usage(counts(peak=OURS // 2)).peak_memory_bytes is None


def test_a_peak_beyond_our_own_counts() -> None:
    beyond = 100 * OURS

    assert total_usage(counts(peak=beyond), counts(peak=5_000)).peak_memory_bytes == beyond * 1024
