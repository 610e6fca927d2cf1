"""Tools of this machine start where no file of the current folder says what they run."""

import ast
from collections.abc import Iterator

import pytest

from tests.repo.package import SourceFile, python_files

PACKAGE = "src/steelyard/"
# They start no tool, or one that reads nothing but its own words and the folders that these name.
FREE = frozenset(
    {
        *("app/view/viewer.py", "checks/grading/patterns.py", "store/run/viewing/locked_sql.py"),  # -P or -I
        *("sandbox/bubblewrap/process.py", "sandbox/oci/sandbox.py", "sandbox/oci/bundles.py"),
        *("sandbox/gvisor/container.py", "sandbox/cgroups/find.py"),
        "sandbox/process.py",  # in the folder of its command
        "checks/tasks/patch.py",  # in a new folder that holds nothing but the patched files
    }
)
STARTERS = [
    file
    for file in python_files(PACKAGE)
    if "subprocess." in file.text and file.name.removeprefix(PACKAGE) not in FREE
]


def starts(file: SourceFile) -> Iterator[ast.Call]:
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"subprocess.run", "subprocess.Popen"}:
            yield node


@pytest.mark.parametrize("file", STARTERS, ids=lambda file: file.name)
def test_a_tool_starts_in_a_neutral_folder(file: SourceFile) -> None:
    for call in starts(file):
        places = [ast.unparse(one.value) for one in call.keywords if one.arg == "cwd"]
        assert places == ["NEUTRAL_FOLDER"], ast.unparse(call)
