"""Keep track of open descriptors, so that every one of them is closed exactly once."""

import os
import socket
from collections.abc import Iterable
from pathlib import Path
from select import POLLIN, poll
from types import TracebackType
from typing import Self

OWNER_ONLY = 0o600


def is_readable(descriptor: int, timeout_s: float = 0.0) -> bool:
    """Whether there is something to be read, now or before long; the end of a pipe or a process counts."""
    waiting = poll()
    waiting.register(descriptor, POLLIN)
    return bool(waiting.poll(max(timeout_s, 0) * 1000))


class Descriptors:
    """Opens pipes and files in memory, and closes on leaving whatever is still open."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_all()

    def own(self, descriptor: int) -> int:
        """Take charge of a descriptor."""
        self._open.add(descriptor)
        return descriptor

    def file(self, content: bytes) -> int:
        """Return a file that lives in memory only, ready to be read."""
        descriptor = self.own(os.memfd_create("steelyard", os.MFD_CLOEXEC))
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def folders(self, root: str, folders: Iterable[str]) -> dict[str, int]:
        """Return folders below another root, open only to lead on; they stay when that root is gone."""
        flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
        return {folder: self.own(os.open(f"{root}{folder}", flags)) for folder in folders}

    def again(self, descriptor: int) -> int:
        """Return a second, independent way to read a file in memory from its beginning."""
        return self.own(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC))

    def close(self, *descriptors: int) -> None:
        """Close some descriptors now."""
        for descriptor in descriptors:
            self._open.discard(descriptor)
            os.close(descriptor)

    def close_all(self) -> None:
        """Close every descriptor that is still open."""
        self.close(*self._open)

    @property
    def numbers(self) -> tuple[int, ...]:
        """What is open at the moment."""
        return tuple(self._open)


class Wiring:
    """The descriptors between us and a child: ours, and those that the child inherits and we then close."""

    def __init__(self) -> None:
        self.ours = Descriptors()
        self.theirs = Descriptors()
        self._lines: list[socket.socket] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ours.close_all()
        self.theirs.close_all()
        for line in self._lines:
            line.close()

    def line(self) -> tuple[socket.socket, int]:
        """Return our and the child's end of a new line for messages, which may carry descriptors."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lines.append(ours)
        return ours, self.theirs.own(theirs.detach())

    def from_child(self, at: Path | None = None) -> tuple[int, int]:
        """Return our reading and the child's writing end of a new pipe; with a path, of a named one."""
        reading, writing = _pipe(at)
        return self.ours.own(reading), self.theirs.own(writing)

    def to_child(self, at: Path | None = None) -> tuple[int, int]:
        """Return our writing and the child's reading end of a new pipe; with a path, of a named one."""
        reading, writing = _pipe(at)
        return self.ours.own(writing), self.theirs.own(reading)


def _pipe(at: Path | None) -> tuple[int, int]:
    """Return both ends of a pipe; a named one is for children that can only open it by its name."""
    if at is None:
        return os.pipe2(os.O_CLOEXEC)
    os.mkfifo(at, OWNER_ONLY)
    reading = os.open(at, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    return reading, os.open(at, os.O_WRONLY | os.O_CLOEXEC)
