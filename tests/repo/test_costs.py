"""The costs of tests are added up by folder, with the processes that a test starts."""

import subprocess
import sys

import pytest

from tests.repo.costs import part_of, processor_s


@pytest.mark.parametrize(
    ("nodeid", "part"),
    [
        ("tests/cli/progress/test_a.py::test_b[c/d]", "tests/cli"),
        ("tests/checks/toolchains/rust/test_a.py::test_b", "tests/checks/toolchains"),
        ("tests/checks/test_a.py::test_b", "tests/checks"),
        ("src/steelyard/model/case.py::steelyard.model.case", "src/steelyard"),
        ("tests/test_plugins.py::test_a", "tests"),
    ],
)
def test_a_part_is_a_folder(nodeid: str, part: str) -> None:
    assert part_of(nodeid) == part


def test_processes_that_have_ended_count() -> None:
    before = processor_s()

    subprocess.run([sys.executable, "-c", "sum(range(10_000_000))"], check=True)

    assert processor_s() - before > 0.02
