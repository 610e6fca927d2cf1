# --- prompt
# `parse_flag(text)`: `yes`/`no`; other texts warn with `UserWarning` and give None.
# --- right
import warnings


def parse_flag(text):
    if text in ("yes", "no"):
        return text == "yes"
    warnings.warn(f"unknown flag {text!r}", UserWarning, stacklevel=2)
    return None
# --- wrong
import warnings


def parse_flag(text):
    if text in ("yes", "no"):
        return text == "yes"
    warnings.warn(f"unknown flag {text!r}", UserWarning, stacklevel=2)
    return False
# --- tests
import unittest

from solution import parse_flag


class FlagTest(unittest.TestCase):
    def test_unknown(self):
        with self.assertWarns(UserWarning) as caught:
            self.assertIsNone(parse_flag("maybe"))
        self.assertIn("'maybe'", str(caught.warning))

    def test_known(self):
        self.assertIs(parse_flag("no"), False)
