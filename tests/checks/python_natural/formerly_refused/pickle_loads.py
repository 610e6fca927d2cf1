# --- prompt
# A class `Counter` that can be pickled; its lock is made anew.
# --- right
import threading


class Counter:
    def __init__(self, count=0):
        self.count = count
        self.lock = threading.Lock()

    def __getstate__(self):
        return {"count": self.count}

    def __setstate__(self, state):
        self.__init__(state["count"])
# --- wrong
import threading


class Counter:
    def __init__(self, count=0):
        self.count = count
        self.lock = threading.Lock()

    def __getstate__(self):
        return {"count": self.count}

    def __setstate__(self, state):
        self.__init__()
# --- tests
from pickle import dumps, loads

from solution import Counter


def test_round_trip():
    copy = loads(dumps(Counter(5)))
    assert copy.count == 5
    assert copy.lock.acquire(blocking=False)
