"""No name below a shared temporary folder can be guessed, and so taken first by another user.

Temporary files come from `tempfile`, which makes each under a new name and for its owner only; what must be
found again lies in a folder that `sandbox.private_folder` has looked at.
"""

import re
from collections.abc import Iterator

import pytest

from tests.repo.package import python_files

FIXED = re.compile(
    r"gettempdir|tempfile\.tempdir|mktemp\b|(?:environ|getenv)\S*\bTMPDIR|[\"'](?:/var)?/(?:tmp|dev/shm)\b"
)
# Inside a sandbox `/tmp` is its own; these name no file of this machine.
INSIDE = {"src/steelyard/sandbox/bubblewrap/arguments.py", "src/steelyard/sandbox/layout.py"}


def fixed_names(text: str) -> Iterator[str]:
    """Give the lines that make a path below a folder for everybody's temporary files."""
    return (line.strip() for line in text.splitlines() if FIXED.search(line))


def test_no_name_in_a_shared_folder_is_fixed() -> None:
    files = [file for file in python_files("src") if file.name not in INSIDE]

    found = {file.name: lines for file in files if (lines := list(fixed_names(file.text)))}

    assert files
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'spill = f"{gettempdir()}/steelyard-spill"',
        'for folder in Path(tempfile.gettempdir()).glob("steelyard-*"):',
        'Path("/tmp/steelyard")',
        'Path("/tmp") / "steelyard"',
        "open('/var/tmp/steelyard.lock')",
        'f"/dev/shm/steelyard-{os.getpid()}"',
        'os.environ["TMPDIR"]',
        'os.environ.get("TMPDIR")',
        "tempfile.mktemp()",
    ],
)
def test_a_fixed_name_is_found(line: str) -> None:
    assert list(fixed_names(line)) == [line]


@pytest.mark.parametrize(
    "line",
    [
        'tempfile.mkdtemp(prefix="steelyard-")',
        "with TemporaryDirectory() as folder:",
        r're.compile(r"/box/tmp|/tmp/steelyard-[\w.-]+")',
    ],
)
def test_a_new_name_is_none(line: str) -> None:
    assert not list(fixed_names(line))
