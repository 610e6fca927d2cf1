"""Tell the world outside what came of the tests, each line signed with the nonce of this one check."""

import json
import os
import traceback

from steelyard.checks.python.grader_runtime.collect import TESTS_FILE

LONGEST = 1000


class GradeReport:
    """The channel to the checker outside, which the answer's process does not have."""

    def __init__(self, channel: int, nonce: str) -> None:
        self._channel = channel
        self._nonce = nonce
        self._noted = bytearray()

    def tell(self, event: str, **details: object) -> None:
        """Note one thing, to be told before the answer's code is run again."""
        self._noted += json.dumps({"nonce": self._nonce, "event": event, **details}).encode() + b"\n"

    def flush(self) -> None:
        """Tell what has been noted: from here on nobody knows whether there will be another chance."""
        view = memoryview(bytes(self._noted))
        self._noted.clear()
        while view:
            view = view[os.write(self._channel, view) :]


def described(error: BaseException, source: str = "") -> str:
    """Return what went wrong and, if it was in the tests, on which line."""
    try:
        said = str(error)[:LONGEST]
    except Exception as another:  # noqa: BLE001  # the text may come from the answer, which may be gone
        said = f"({type(another).__name__} while asking why)"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == TESTS_FILE
    ]
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    number = lines[-1] if lines else None
    if number is None or number > len(source.splitlines()):
        return text
    return f"{text} [line {number}: {source.splitlines()[number - 1].strip()[:LONGEST]}]"
