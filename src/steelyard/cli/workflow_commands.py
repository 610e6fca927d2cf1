"""Keep lines that GitHub Actions would obey out of the log of a job: names and answers are not ours."""

import os
import stat
import sys
from collections.abc import Iterable
from typing import TextIO

MARKS = ("::", "##[")  # at the beginning of a line


class _NeutralStream:
    """A text stream in which no line begins with a mark; everything else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._head = ""  # how the unfinished line begins, without spaces

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write text; a mark gets a backslash before its last character."""
        self._stream.write("".join(map(self._neutral, text.splitlines(keepends=True))))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for text in lines:
            self.write(text)

    def _neutral(self, part: str) -> str:
        body = part if self._head else part.lstrip(" \t")
        line = self._head + body
        for mark in MARKS:
            missing = len(mark) - len(self._head)
            if line.startswith(mark) and missing > 0:
                end = len(part) - len(body) + missing - 1
                part = f"{part[:end]}\\{part[end:]}"
        self._head = "" if part.splitlines() != [part] else line[:3]
        return part


def neutralise_output() -> None:
    """Wrap the streams of this process if GitHub Actions reads them; not a file that they were sent to."""
    if os.environ.get("GITHUB_ACTIONS"):
        sys.stdout, sys.stderr = map(_neutralised, (sys.stdout, sys.stderr))


def _neutralised(stream: TextIO) -> TextIO:
    try:
        is_file = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        is_file = False
    return stream if is_file else _NeutralStream(stream)  # type: ignore[return-value]  # it has all the rest
