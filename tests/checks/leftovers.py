"""Look for what a check may have left on this machine."""

from contextlib import suppress
from pathlib import Path


def processes_with(word: str) -> list[str]:
    """Return the command lines of living processes that hold a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if word in line:
                found.append(line)
    return found


def mounts() -> int:
    """Return how many file systems are mounted for this process."""
    return len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())


def open_descriptors() -> int:
    """Return how many files, pipes and sockets this process holds open."""
    return len(list(Path("/proc/self/fd").iterdir()))
