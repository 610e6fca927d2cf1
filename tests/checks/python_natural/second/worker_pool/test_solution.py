import threading
import time

import pytest

from solution import WorkerPool


def slow_square(n):
    time.sleep(0.02 / (n + 1))
    return n * n


def test_results_in_order_of_submission():
    with WorkerPool(4) as pool:
        for n in range(8):
            pool.submit(slow_square, n)
        assert pool.results() == [n * n for n in range(8)]


def test_no_jobs():
    with WorkerPool(2) as pool:
        assert pool.results() == []


def test_exceptions_are_results():
    with WorkerPool(1) as pool:
        pool.submit(int, "7")
        pool.submit(int, "seven")
        pool.submit(int, "8")
        first, error, last = pool.results()
    assert (first, last) == (7, 8)
    assert isinstance(error, ValueError)
    assert "seven" in str(error)


def test_calls_run_at_the_same_time():
    barrier = threading.Barrier(3, timeout=5)
    with WorkerPool(3) as pool:
        for _ in range(3):
            pool.submit(barrier.wait)
        assert sorted(pool.results()) == [0, 1, 2]


def test_thread_names_and_daemons():
    def describe():
        time.sleep(0.01)
        thread = threading.current_thread()
        return thread.name, thread.daemon

    with WorkerPool(2) as pool:
        for _ in range(6):
            pool.submit(describe)
        seen = set(pool.results())
    assert seen <= {("worker-0", True), ("worker-1", True)}


def test_threads_end_with_the_block():
    before = threading.active_count()
    with WorkerPool(3):
        assert threading.active_count() == before + 3
    assert threading.active_count() == before


def test_submit_after_close():
    with WorkerPool(1) as pool:
        pass
    with pytest.raises(RuntimeError):
        pool.submit(print)
