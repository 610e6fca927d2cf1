"""Tell the world outside what came of the tests, in lines that only the key's holder can write."""

import hashlib
import json
import os
import traceback

from steelyard.checks.python.grader_runtime.collect import TESTS_FILE
from steelyard.checks.python.grader_runtime.handles import NeedsShared

LONGEST = 1000
SEAL_BYTES = 16


def seal(key: bytes, place: int, line: bytes) -> bytes:
    """Return what only the holder of the key can put before a line, and only at its place."""
    return hashlib.blake2b(b"%d %b" % (place, line), key=key, digest_size=SEAL_BYTES).hexdigest().encode()


class GradeReport:
    """The channel to the checker outside, which the answer's process does not have."""

    def __init__(self, channel: int, key: bytes) -> None:
        self._channel = channel
        self._key = key
        self._told = 0
        self._noted = bytearray()

    def tell(self, event: str, **details: object) -> None:
        """Note one thing, to be sent before the answer's code is run again."""
        line = json.dumps({"event": event, **details}).encode()
        self._noted += seal(self._key, self._told, line) + b" " + line + b"\n"
        self._told += 1

    def flush(self) -> None:
        """Send what has been noted: there may not be another chance."""
        view = memoryview(bytes(self._noted))
        self._noted.clear()
        while view:
            view = view[os.write(self._channel, view) :]


def described(error: BaseException, source: str = "") -> str:
    """Return what went wrong and, if it was in the tests, on which line."""
    try:
        said = str(error)[:LONGEST]
    except (Exception, NeedsShared) as another:  # noqa: BLE001  # the text may come from the answer
        said = f"({type(another).__name__} while asking why)"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == TESTS_FILE
    ]
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    number = lines[-1] if lines else None
    if number is None or number > len(source.splitlines()):
        return text
    return f"{text} [line {number}: {source.splitlines()[number - 1].strip()[:LONGEST]}]"
