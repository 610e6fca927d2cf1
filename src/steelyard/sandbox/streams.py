"""Pump the streams of a command until it ends or hits its time or output limit."""

import os
import selectors
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from steelyard.model.execution import Limit, Limits, Stream
from steelyard.sandbox.descriptors import Descriptors

CHUNK = 1 << 16
TICK_S = 0.1  # between calls of `watch`


@dataclass(slots=True)
class Capture:
    """The beginning of a stream and its total size."""

    limit: int
    kept: bytearray = field(default_factory=bytearray)
    size: int = 0

    def add(self, data: bytes) -> None:
        """Append data up to the limit; count all of it."""
        self.kept += data[: max(self.limit - len(self.kept), 0)]
        self.size += len(data)

    def stream(self) -> Stream:
        """Return the captured stream."""
        return Stream(text=bytes(self.kept), size=self.size)


class PipePump:
    """Moves bytes between a command's pipes and memory, in the waiting thread.

    `captures` maps descriptors to read; `feed` is the descriptor for stdin and its text.
    """

    def __init__(
        self, captures: Mapping[int, Capture], *, feed: tuple[int, bytes], limits: Limits, owner: Descriptors
    ) -> None:
        self._captures = captures
        self._stdin, text = feed
        self._text = memoryview(text)
        self._limits = limits
        self._owner = owner
        self._selector = selectors.PollSelector()
        for descriptor in captures:
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ)
        os.set_blocking(self._stdin, False)
        self._feed()
        if self._text:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def until(self, ended: int, *, deadline: float, watch: Callable[[], Limit | None]) -> Limit | None:
        """Pump until `ended` is readable; return the limit hit before, if any."""
        if ended not in self._selector.get_map():
            self._selector.register(ended, selectors.EVENT_READ)
        watched = time.monotonic() + TICK_S
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Limit.WALL
            if now >= watched:
                watched = now + TICK_S
                if hit := watch():
                    return hit
            if self._move(min(deadline, watched) - now, ended):
                return None
            if sum(capture.size for capture in self._captures.values()) > self._limits.output_total_bytes:
                return Limit.OUTPUT

    def drain(self) -> None:
        """Read the rest of the pipes after all writers have ended."""
        for descriptor in self._captures:
            while self._read(descriptor):
                pass

    def _move(self, timeout_s: float, ended: int) -> bool:
        over = False
        for key, _ in self._selector.select(timeout_s):
            if key.fd == ended:
                over = True
            elif key.fd == self._stdin:
                self._feed()
            elif not self._read(key.fd):
                self._selector.unregister(key.fd)
        return over

    def _read(self, descriptor: int) -> bool:
        """Read once; return whether there may be more."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return False
        self._captures[descriptor].add(data)
        return bool(data)

    def _feed(self) -> None:
        """Write as much as the pipe takes; close it when done or without a reader."""
        with suppress(BlockingIOError):
            try:
                while self._text:
                    self._text = self._text[os.write(self._stdin, self._text[:CHUNK]) :]
            except BrokenPipeError:
                self._text = memoryview(b"")
        if not self._text:
            if self._stdin in self._selector.get_map():
                self._selector.unregister(self._stdin)
            self._owner.close(self._stdin)
