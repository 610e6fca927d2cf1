def chunked(iterable, size):
    if size < 1:
        raise ValueError("size must be at least 1")
    chunk = []
    for item in iterable:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    yield chunk


def windowed(iterable, size):
    if size < 1:
        raise ValueError("size must be at least 1")
    items = list(iterable)
    for i in range(len(items) - size + 1):
        yield tuple(items[i : i + size])


def pairwise_diff(numbers):
    for a, b in windowed(numbers, 2):
        yield b - a
