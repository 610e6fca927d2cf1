"""Run a program where more is mounted than on this machine."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
MOUNT = """
while [ "$1" != -- ]; do mount -t tmpfs -o mode=1777 below "$1" || exit; shift; done
shift; exec "$@"
"""


def told_with_mounts(program: str, *arguments: str, at: list[str]) -> str:
    """Run a Python program, return what it printed.

    It alone sees, at each of the given places, an empty file system that every user may write.
    """
    words = ["unshare", "--mount", "/bin/sh", "-c", MOUNT, "sh", *at, "--"]
    python = [sys.executable, "-c", program, *arguments]
    done = subprocess.run([*words, *python], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
