# --- prompt
# `relative_files()` lists the files of the current folder, sorted, without hidden ones.
# --- right
import os


def relative_files():
    return sorted(name for name in os.listdir() if os.path.isfile(name) and not name.startswith("."))
# --- wrong
import os


def relative_files():
    return sorted(name for name in os.listdir() if not name.startswith("."))
# --- tests
import os

import pytest

from solution import relative_files


@pytest.fixture
def folder(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def test_files(folder):
    for name in ("b.txt", "a.txt", ".hidden"):
        (folder / name).touch()
    (folder / "sub").mkdir()
    assert relative_files() == ["a.txt", "b.txt"]
