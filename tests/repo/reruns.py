"""Rerun failed tests, each in a process of its own: `python -m tests.repo.reruns [OPTION…]`.

A test may fail because others ran beside it, so a few may need a second try. Every rerun is listed.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 3  # a run in which more tests fail has a cause to look for


def main(failed: Sequence[str], options: Sequence[str] = ()) -> int:
    """Return 0 if few tests failed and each passes alone."""
    names = "".join(f"\n  {name}" for name in failed)
    _show(f"{len(failed)} failed beside other tests:{names}")
    if not 0 < len(failed) <= MOST:
        _show(f"not rerun: at most {MOST} tests may need a rerun")
        return 1
    pytest = [sys.executable, "-m", "pytest", "-q", *options]
    still = [name for name in failed if subprocess.call([*pytest, name])]
    _show("".join(f"RERUN {'FAILED' if name in still else 'PASSED'} {name}\n" for name in failed))
    return 1 if still else 0


def _show(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(list(json.loads(FAILED.read_text(encoding="utf-8"))), sys.argv[1:]))
