# --- prompt
# `retry(function, attempts)` calls a function until it does not raise, sleeping 1, 2, 4… seconds between.
# --- right
import time


def retry(function, attempts):
    for attempt in range(attempts):
        try:
            return function()
        except Exception:
            if attempt == attempts - 1:
                raise
            time.sleep(2**attempt)
# --- wrong
import time


def retry(function, attempts):
    for attempt in range(attempts):
        try:
            return function()
        except Exception:
            if attempt == attempts - 1:
                raise
            time.sleep(attempt)
# --- tests
from unittest.mock import Mock, call, patch

from solution import retry


def test_sleeps():
    function = Mock(side_effect=[OSError, OSError, "ok"])
    with patch("time.sleep") as sleep:
        assert retry(function, 3) == "ok"
    assert sleep.call_args_list == [call(1), call(2)]
