"""Which names of files an answer may give."""

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.checks.extraction.paths import MOST_FILES, fitting, stays_inside


@pytest.mark.parametrize("path", ["a.py", "src/lib.rs", ".github/x.yml", "größe/尺.py", "a/b/c/d.tf"])
def test_a_plain_path_stays_inside(path: str) -> None:
    assert stays_inside(path)


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "/etc/x", "../x", "a/../../x", "a//b", "a/./b", "a\0b", "a\nb", "\ud800", "尺" * 80],
)
def test_a_path_that_leads_out_or_cannot_be_written_does_not(path: str) -> None:
    assert not stays_inside(path)


def test_a_path_has_limits_of_length_and_depth() -> None:
    assert not stays_inside("x" * 201)
    assert not stays_inside("d/" * 30 + "x")
    assert not stays_inside("/".join(["x" * 200] * 6))


def test_a_file_that_clashes_with_an_earlier_one_is_left_out() -> None:
    files = {"a.py": "1", "a.py/b.py": "2", "c/d.py": "3", "c": "4"}

    assert fitting(files, ()) == {"a.py": "1", "c/d.py": "3"}


def test_a_file_of_ours_gives_way_to_none_of_the_answers() -> None:
    assert fitting({"grade.py/x.py": "1", "lib": "2"}, ["grade.py", "lib/tests.py"]) == {}


@pytest.mark.parametrize("name", ["../../x.py", "/etc/x.py", "x" * 300 + ".py", "d/" * 900 + "x.py"])
def test_a_diff_that_leads_out_is_no_answer(name: str) -> None:
    diff = f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+def add(a, b): return 0\n"

    assert not any(name in path for path in extract(diff, "python").files)


def test_of_very_many_files_the_first_ones_are_kept() -> None:
    files = {f"f{number}.py": "" for number in range(MOST_FILES + 1)}

    assert list(fitting(files, ())) == list(files)[:MOST_FILES]
