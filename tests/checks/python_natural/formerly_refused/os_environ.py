# --- prompt
# `database_url()` reads `DATABASE_URL`, or puts it together from `DB_HOST` (default localhost) and `DB_NAME`.
# --- right
import os


def database_url():
    return os.environ.get("DATABASE_URL") or f"db://{os.environ.get('DB_HOST', 'localhost')}/{os.environ['DB_NAME']}"
# --- wrong
import os


def database_url():
    return os.environ.get("DATABASE_URL") or f"db://{os.environ.get('DB_HOST', '127.0.0.1')}/{os.environ['DB_NAME']}"
# --- tests
import os
from unittest import TestCase, mock

from solution import database_url


class UrlTest(TestCase):
    def test_parts(self):
        with mock.patch.dict(os.environ, {"DB_NAME": "shop"}, clear=True):
            self.assertEqual(database_url(), "db://localhost/shop")
            os.environ["DATABASE_URL"] = "db://x/y"
            self.assertEqual(database_url(), "db://x/y")
