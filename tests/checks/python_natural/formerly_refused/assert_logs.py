# --- prompt
# `divide_all(pairs)` skips divisions by zero and logs each as an error of the logger `calc`.
# --- right
import logging

log = logging.getLogger("calc")


def divide_all(pairs):
    results = []
    for a, b in pairs:
        try:
            results.append(a / b)
        except ZeroDivisionError:
            log.error("cannot divide %s by zero", a)
    return results
# --- wrong
import logging

log = logging.getLogger("calc")


def divide_all(pairs):
    results = []
    for a, b in pairs:
        try:
            results.append(a / b)
        except ZeroDivisionError:
            log.warning("cannot divide %s by zero", a)
    return results
# --- tests
import unittest

from solution import divide_all


class DivideTest(unittest.TestCase):
    def test_logs(self):
        with self.assertLogs("calc", level="ERROR") as logs:
            self.assertEqual(divide_all([(1, 2), (3, 0)]), [0.5])
        self.assertEqual(logs.output, ["ERROR:calc:cannot divide 3 by zero"])

    def test_quiet(self):
        with self.assertNoLogs("calc"):
            divide_all([])
