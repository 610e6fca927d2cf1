# --- prompt
# `once(function)` returns a function that calls the original once, however many threads call it, and returns its result.
# --- right
import threading


def once(function):
    lock, results = threading.Lock(), []

    def wrapper():
        with lock:
            if not results:
                results.append(function())
        return results[0]

    return wrapper
# --- wrong
import threading


def once(function):
    lock, results = threading.Lock(), []

    def wrapper():
        return function()

    return wrapper
# --- tests
import concurrent.futures
import time

from solution import once


def test_once():
    calls = []

    def slow():
        time.sleep(0.01)
        calls.append(1)
        return len(calls)

    guarded = once(slow)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(guarded) for _ in range(8)]
    assert [future.result() for future in futures] == [1] * 8
