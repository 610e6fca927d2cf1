# --- prompt
# `pack(numbers)` returns the sorted distinct numbers as bytes of `marshal`.
# --- right
import marshal


def pack(numbers):
    return marshal.dumps(sorted(set(numbers)))
# --- wrong
import marshal


def pack(numbers):
    return marshal.dumps(sorted(numbers))
# --- tests
import marshal

from solution import pack


def test_pack():
    assert marshal.loads(pack([3, 1, 3])) == [1, 3]
