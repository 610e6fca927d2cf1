from collections import Counter
from unittest import mock

import pytest

import solution
from solution import count_words, top


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "a.txt").write_text("The cat saw the dog.", encoding="utf-8")
    (folder / "b.txt").write_text("Das Café, das Café!\nThe end", encoding="utf-8")
    (folder / "c.txt").write_text("", encoding="utf-8")
    return folder


def test_counts(library):
    counts = count_words(sorted(library.glob("*.txt")))
    assert counts["the"] == 3
    assert counts["café"] == 2
    assert counts["nothing"] == 0
    assert counts.total() == 11


def test_same_as_sequential(library):
    paths = list(library.glob("*.txt")) * 3
    expected = Counter()
    for path in paths:
        expected += count_words([path], workers=1)
    assert count_words(paths, workers=3) == expected


def test_strings_are_paths_too(library):
    assert count_words([str(library / "a.txt")]) == Counter(the=2, cat=1, saw=1, dog=1)


def test_missing_file(library):
    with pytest.raises(FileNotFoundError):
        count_words([library / "a.txt", library / "zzz.txt"])


def test_no_paths():
    with mock.patch.object(solution, "ProcessPoolExecutor", side_effect=AssertionError("started")):
        assert count_words(iter(())) == Counter()


@pytest.mark.parametrize("n, expected", [(0, []), (2, [("b", 3), ("a", 2)]), (3, [("b", 3), ("a", 2), ("c", 2)])])
def test_top(n, expected):
    assert top(Counter("cbacbab"), n) == expected
