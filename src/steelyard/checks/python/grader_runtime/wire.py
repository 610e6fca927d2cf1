"""Carry messages over a pair of pipes, each with its length before it."""

import os
import struct

HEADER = struct.Struct("=I")
LONGEST = 256 << 20  # bytes of one message; no honest side sends more
CHUNK = 1 << 16


class Gone(BaseException):
    """The other process is no more. No test that catches every Exception may swallow this."""


class Wire:
    """The pipes between two processes."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._buffer = bytearray()

    def send(self, body: bytes) -> None:
        """Send one message."""
        view = memoryview(HEADER.pack(len(body)) + body)
        try:
            while view:
                view = view[os.write(self._writing, view) :]
        except BrokenPipeError as error:
            raise Gone("the other process does not listen any more") from error

    def receive(self) -> bytes:
        """Return the next message."""
        (length,) = HEADER.unpack(self._take(HEADER.size))
        if length > LONGEST:
            raise Gone(f"a message of {length} bytes")
        return self._take(length)

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            data = os.read(self._reading, max(CHUNK, size - len(self._buffer)))
            if not data:
                raise Gone("the other process has ended")
            self._buffer += data
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken
