# --- prompt
# `count_lines(path)` counts lines without reading the whole file into memory.
# --- right
def count_lines(path):
    with open(path) as handle:
        return sum(1 for _ in handle)
# --- wrong
def count_lines(path):
    with open(path) as handle:
        return len(handle.readlines())
# --- tests
import tracemalloc

from solution import count_lines


def test_memory(tmp_path):
    path = tmp_path / "big.txt"
    path.write_text("x" * 99 + "\n")
    with path.open("a") as handle:
        handle.writelines(["y" * 99 + "\n"] * 40_000)
    tracemalloc.start()
    try:
        assert count_lines(path) == 40_001
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
