# --- prompt
# `join_path(*parts)` joins with `/` and removes doubled slashes.
# --- right
import re


def join_path(*parts):
    return re.sub("/+", "/", "/".join(parts))
# --- wrong
import re


def join_path(*parts):
    return "/".join(parts)
# --- tests
import sys

import pytest

from solution import join_path


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")
def test_join():
    assert join_path("a/", "/b", "c") == "a/b/c"
