"""Track open descriptors and close each exactly once."""

import os
import socket
from collections.abc import Iterable
from pathlib import Path
from select import POLLIN, poll
from types import TracebackType
from typing import Self

OWNER_ONLY = 0o600


def is_readable(descriptor: int, timeout_s: float = 0.0) -> bool:
    """Whether a descriptor is readable within the timeout; end of file and exit of a process count."""
    waiting = poll()
    waiting.register(descriptor, POLLIN)
    return bool(waiting.poll(max(timeout_s, 0) * 1000))


class Descriptors:
    """Opens pipes and memory files; closes the open ones on exit."""

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
        """Return a memory file with this content, at its beginning."""
        descriptor = self.own(os.memfd_create("steelyard", os.MFD_CLOEXEC))
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def folders(self, root: str, folders: Iterable[str]) -> dict[str, int]:
        """Open folders below another root with O_PATH; they outlive that root."""
        flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
        return {folder: self.own(os.open(f"{root}{folder}", flags)) for folder in folders}

    def reopen(self, descriptor: int) -> int:
        """Reopen a memory file, with a position of its own."""
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
        """The open descriptors."""
        return tuple(self._open)


class Wiring:
    """The descriptors between this process and a child: ours, and theirs, closed once inherited."""

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
        """Return both ends of a new socket pair for messages with descriptors: ours, theirs."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lines.append(ours)
        return ours, self.theirs.own(theirs.detach())

    def from_child(self, at: Path | None = None) -> tuple[int, int]:
        """Return our read end and the child's write end of a new pipe, named if `at` is given."""
        reading, writing = _pipe(at)
        return self.ours.own(reading), self.theirs.own(writing)

    def to_child(self, at: Path | None = None) -> tuple[int, int]:
        """Return our write end and the child's read end of a new pipe, named if `at` is given."""
        reading, writing = _pipe(at)
        return self.ours.own(writing), self.theirs.own(reading)


def _pipe(at: Path | None) -> tuple[int, int]:
    """Return the read and the write end of a new pipe; named for children that inherit no pipes."""
    if at is None:
        return os.pipe2(os.O_CLOEXEC)
    os.mkfifo(at, OWNER_ONLY)
    reading = os.open(at, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    return reading, os.open(at, os.O_WRONLY | os.O_CLOEXEC)
