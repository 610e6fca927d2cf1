# --- prompt
# A class `Counter` with `add()` and `value`; `add` may be called from many threads.
# --- right
import threading


class Counter:
    def __init__(self):
        self.value = 0
        self._lock = threading.Lock()

    def add(self):
        with self._lock:
            self.value += 1
# --- wrong
import threading


class Counter:
    def __init__(self):
        self.value = 0
        self._lock = threading.Lock()

    def add(self):
        with self._lock:
            self.value = 1
# --- tests
from threading import Thread

from solution import Counter


def test_threads():
    counter = Counter()
    threads = [Thread(target=lambda: [counter.add() for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.value == 2000
