# --- prompt
# `write_script(path, names)` writes a script that sets `total` to the number of names.
# --- right
def write_script(path, names):
    with open(path, "w") as handle:
        handle.write(f"names = {names!r}\ntotal = len(names)\n")
# --- wrong
def write_script(path, names):
    with open(path, "w") as handle:
        handle.write(f"names = {names!r}\ntotal = len(names) - 1\n")
# --- tests
import runpy

from solution import write_script


def test_script(tmp_path):
    path = tmp_path / "made.py"
    write_script(path, ["a", "b"])
    assert runpy.run_path(str(path))["total"] == 2
