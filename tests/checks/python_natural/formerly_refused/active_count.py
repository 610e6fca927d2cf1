# --- prompt
# `run_all(functions)` runs functions in threads and waits for all of them.
# --- right
import threading


def run_all(functions):
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
# --- wrong
import threading


def run_all(functions):
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()

# --- tests
import threading
import time

from solution import run_all


def test_waits():
    before = threading.active_count()
    run_all([lambda: time.sleep(0.2)] * 3)
    assert threading.active_count() == before
