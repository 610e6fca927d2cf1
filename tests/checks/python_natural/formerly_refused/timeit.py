# --- prompt
# `fib(n)` is fast for n up to 1000.
# --- right
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
# --- wrong
def fib(n):
    return n if n < 1 else fib(n - 1) + fib(n - 2)
# --- tests
import timeit

from solution import fib


def test_value():
    assert [fib(n) for n in range(7)] == [0, 1, 1, 2, 3, 5, 8]


def test_fast():
    assert timeit.timeit(lambda: fib(25), number=1) < 5
