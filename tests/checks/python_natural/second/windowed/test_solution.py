from itertools import count, islice

import pytest

from solution import chunked, pairwise_diff, windowed


class TestChunked:
    def test_even(self):
        assert list(chunked("abcd", 2)) == [["a", "b"], ["c", "d"]]

    def test_rest(self):
        assert list(chunked(range(5), 2)) == [[0, 1], [2, 3], [4]]

    def test_exact_multiple_has_no_empty_chunk(self):
        assert [] not in list(chunked(range(6), 3))

    def test_empty(self):
        assert list(chunked([], 3)) == []

    def test_infinite_input(self):
        assert list(islice(chunked(count(), 3), 2)) == [[0, 1, 2], [3, 4, 5]]

    def test_nothing_lost(self):
        data = list(range(17))
        for size in range(1, 20):
            chunks = list(chunked(data, size))
            assert sum(chunks, []) == data
            assert all(len(chunk) == size for chunk in chunks[:-1])


class TestWindowed:
    def test_basic(self):
        assert list(windowed([1, 2, 3, 4], 3)) == [(1, 2, 3), (2, 3, 4)]

    def test_too_few(self):
        assert list(windowed([1, 2], 3)) == []

    def test_single(self):
        assert list(windowed("ab", 1)) == [("a",), ("b",)]

    def test_consumes_no_more_than_needed(self):
        source = iter(range(10))
        window = next(windowed(source, 3))
        assert window == (0, 1, 2)
        assert next(source) == 3


def test_pairwise_diff():
    assert list(pairwise_diff([1, 4, 9, 16])) == [3, 5, 7]
    assert list(pairwise_diff(x for x in [5])) == []


@pytest.mark.parametrize("function", [chunked, windowed])
@pytest.mark.parametrize("size", [0, -1])
def test_bad_size_is_reported_at_once(function, size):
    with pytest.raises(ValueError):
        function([1, 2, 3], size)
