"""Stand for the standard input and output of the answer's process: both belong to the tests."""

import io
from collections.abc import Callable
from typing import Any

KEPT = 1 << 20  # bytes of what the answer prints between two replies


class Printed(io.BytesIO):
    """Holds what is printed until it is sent; forgets what is too much."""

    def write(self, data: Any, /) -> int:  # noqa: ANN401  # bytes or anything like them
        """Take what there is room for."""
        size = len(data)
        super().write(bytes(data)[: max(KEPT - self.tell(), 0)])
        return size

    def take(self) -> str:
        """Return what was printed since the last time."""
        if not self.tell():
            return ""
        text = self.getvalue().decode("utf-8", errors="replace")
        self.seek(0)
        self.truncate()
        return text


class AskedLines(io.RawIOBase):
    """Standard input: each line is asked for when it is wanted, since the tests may have put theirs there."""

    def __init__(self, ask: Callable[[str], object]) -> None:
        self._ask = ask
        self._rest = b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401  # a buffer to write in
        """Give a line, or as much of it as there is room for; nothing at the end."""
        data = self._rest or str(self._ask("line")).encode("utf-8", "surrogateescape")
        size = min(len(buffer), len(data))
        buffer[:size], self._rest = data[:size], data[size:]
        return size


PRINTED = Printed()
STDOUT = io.TextIOWrapper(PRINTED, encoding="utf-8", errors="replace", write_through=True)
