from collections import deque
from itertools import islice


def _require_positive(size):
    if size < 1:
        raise ValueError(f"size must be at least 1, got {size}")


def chunked(iterable, size):
    _require_positive(size)

    def chunks():
        iterator = iter(iterable)
        while chunk := list(islice(iterator, size)):
            yield chunk

    return chunks()


def windowed(iterable, size):
    _require_positive(size)

    def windows():
        iterator = iter(iterable)
        window = deque(islice(iterator, size), maxlen=size)
        if len(window) == size:
            yield tuple(window)
        for item in iterator:
            window.append(item)
            yield tuple(window)

    return windows()


def pairwise_diff(numbers):
    return (b - a for a, b in windowed(numbers, 2))
