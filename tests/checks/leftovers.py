"""Look for what a check may have left on this machine."""

import os
import time
from contextlib import suppress
from pathlib import Path

from steelyard.model.execution import Command
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.patience import PATIENCE_S
from tests.sandbox.traces import descendants


def processes_with(word: str, *, patience: float = PATIENCE_S) -> list[str]:
    """Return the command lines that hold a word of processes that stay, ours or nobody's.

    Another worker of the test run has processes of its own at the same moment: they are its to look for.
    What has just been killed may take a moment to go.
    """
    deadline = time.monotonic() + patience
    while (found := matching(word)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def matching(word: str) -> list[str]:
    """Return the command lines that hold a word of living processes, but for those of other workers."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if word in line:
                found[folder] = line
    others = descendants(os.getppid()) - descendants(os.getpid()) - {os.getpid()}
    return [line for folder, line in found.items() if folder.exists() and int(folder.name) not in others]


def used_sandbox() -> BubblewrapSandbox:
    """Return a sandbox that already has what it keeps from one command for the next, its control group."""
    sandbox = BubblewrapSandbox()
    sandbox.run(Command(argv=("/bin/true",)))
    return sandbox


def mounts() -> int:
    """Return how many file systems are mounted for this process."""
    return len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())


def open_descriptors() -> int:
    """Return how many files, pipes and sockets this process holds open."""
    return len(list(Path("/proc/self/fd").iterdir()))
