"""Stand for the standard output and error of the answer's process: what it prints belongs to the tests."""

import io
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


PRINTED, COMPLAINED = Printed(), Printed()
STDOUT = io.TextIOWrapper(PRINTED, encoding="utf-8", errors="replace", write_through=True)
STDERR = io.TextIOWrapper(COMPLAINED, encoding="utf-8", errors="replace", write_through=True)


def taken() -> tuple[str, str]:
    """Return what was printed and complained since the last time."""
    return PRINTED.take(), COMPLAINED.take()
