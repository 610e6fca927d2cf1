"""Nothing that is committed tells on whose machine it was made."""

import re
import subprocess

import pytest

from tests.repo.package import REPOSITORY

CI = ".ci/run"  # hands benchmarks that lie beside a checkout to the tests, if they are there
# Spelt in pieces, so that this file does not find itself.
TRACES = {
    "a path of a working machine": rb"(?<![\w.~-])/(?:wo" rb"rk|ro" rb"ot|ho" rb"me)/",
    "a folder beside the repository": rb"\.\./sha" rb"red",
    "a local index": rb"file" rb":///",
    "a package registry": rb"py"
    rb"pi\.org|python"
    rb"hosted\.org|registry\."
    rb"npmjs|deb\."
    rb"debian\.org",
}


def committed_files() -> list[str]:
    """Return the files that are committed or would be."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("only a git work tree knows what is committed")
    return sorted({name for name in done.stdout.split("\0") if (REPOSITORY / name).is_file()})


@pytest.mark.parametrize("trace", TRACES)
def test_no_committed_file_holds(trace: str) -> None:
    pattern = re.compile(TRACES[trace])

    found = {
        name: match[0].decode()
        for name in committed_files()
        if name != CI and (match := pattern.search((REPOSITORY / name).read_bytes()))
    }

    assert not found
