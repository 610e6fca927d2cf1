"""Send events to the checker: one JSON list per line."""

import traceback
from json import dumps  # tests may patch modules
from os import getpid, write

LONGEST_MESSAGE = 1000
FLUSH_BYTES = 1 << 16


class Events:
    """The channel to the checker. The answer can write to it too, so no event is proof."""

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._owner = getpid()
        self._buffer = bytearray()
        self._is_forked = False

    def send(self, event: list[object]) -> None:
        """Buffer one event; a forked child writes immediately."""
        if getpid() != self._owner:
            self._owner, self._is_forked = getpid(), True
            self._buffer.clear()
        self._buffer += dumps(event, separators=(",", ":")).encode() + b"\n"
        if self._is_forked or len(self._buffer) > FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write all buffered events: the answer may end the process."""
        view = memoryview(bytes(self._buffer))
        self._buffer.clear()
        while view:
            view = view[write(self._channel, view) :]


def describe(error: BaseException, tests_file: str) -> str:
    """Return an exception's class, message and line in the tests."""
    try:
        message = str(error)[:LONGEST_MESSAGE]
    except Exception as raised:  # noqa: BLE001  # `__str__` may be the answer's
        message = f"(its message raised {type(raised).__name__})"
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == tests_file]
    return f"{text} [line {lines[-1]}]" if lines else text
