import random

import pytest

from solution import merge_intervals


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        pytest.param([], [], id="empty"),
        pytest.param([(1, 2)], [(1, 2)], id="single"),
        pytest.param([(1, 3), (2, 6), (8, 10)], [(1, 6), (8, 10)], id="overlap"),
        pytest.param([(1, 3), (3, 5)], [(1, 5)], id="touching"),
        pytest.param([(1, 10), (2, 3)], [(1, 10)], id="contained"),
        pytest.param([(5, 6), (1, 2)], [(1, 2), (5, 6)], id="unsorted"),
        pytest.param([(4, 4), (4, 4)], [(4, 4)], id="points"),
    ],
)
def test_merge(intervals, expected):
    assert merge_intervals(intervals) == expected


def test_input_is_untouched():
    intervals = [(5, 9), (1, 6)]
    merge_intervals(intervals)
    assert intervals == [(5, 9), (1, 6)]


def test_order_does_not_matter():
    rng = random.Random(7)
    intervals = [(a, a + rng.randrange(4)) for a in range(0, 60, 3)]
    expected = merge_intervals(intervals)
    for _ in range(10):
        rng.shuffle(intervals)
        assert merge_intervals(intervals) == expected


def test_reversed_interval():
    with pytest.raises(ValueError, match=r"\(4, 2\)"):
        merge_intervals([(0, 1), (4, 2)])
