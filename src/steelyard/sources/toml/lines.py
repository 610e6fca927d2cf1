"""Find the line of each key in a TOML file, which the standard library's reader does not give.

For text that the reader has accepted; the values are not interpreted here.
"""

import re
import tomllib
from bisect import bisect_right
from itertools import accumulate

KeyPath = tuple[str | int, ...]

_EMPTY = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
_BLANKS = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'  # up to two quotes may stand before the closing three
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+")


def key_lines(text: str) -> dict[KeyPath, int]:
    r"""Return the line, counted from 1, of every key, table and element of a list.

    >>> key_lines("[[cases]]\nid = 'a'\ntags = ['x',\n  'y']\n")[("cases", 0, "tags", 1)]
    4
    """
    # To the standard, a carriage return alone ends no line, and one before a newline is part of it.
    return _Scan(text).lines


class _Scan:
    """One pass over a text, from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff")
        self._starts = list(
            accumulate((len(line) for line in self._text.split("\n")), _next_start, initial=0)
        )
        self._at = 0
        self._tables: dict[KeyPath, int] = {}  # how many tables each list of tables has so far
        self.lines: dict[KeyPath, int] = {}
        table: KeyPath = ()
        self._skip(_EMPTY)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_EMPTY)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Go past what a pattern matches, and return it."""
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"this is no TOML, at character {self._at}")
        self._at = match.end()
        return match[0]

    def _note(self, path: KeyPath, at: int) -> None:
        self.lines.setdefault(path, bisect_right(self._starts, at))

    def _header(self) -> KeyPath:
        """Read `[a.b]` or `[[a.b]]`; return the path of the table that it opens."""
        start = self._at
        is_list = self._text.startswith("[[", start)
        self._at += 2 if is_list else 1
        path: KeyPath = ()
        keys = self._keys()
        for key in keys[:-1]:
            path = (*path, key)
            self._note(path, start)
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
        path = (*path, keys[-1])
        self._note(path, start)
        if is_list:
            self._tables[path] = self._tables.get(path, 0) + 1
            path = (*path, self._tables[path] - 1)
            self._note(path, start)
        self._at = self._text.index("]", self._at) + (2 if is_list else 1)
        return path

    def _keys(self) -> list[str]:
        """Read a key, or several with dots between them."""
        keys = []
        while True:
            self._skip(_BLANKS)
            if self._text[self._at] in "\"'":
                keys.append(str(tomllib.loads(f"key = {self._skip(_STRING)}")["key"]))
            else:
                keys.append(self._skip(_BARE_KEY))
            self._skip(_BLANKS)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _pair(self, table: KeyPath) -> None:
        start, path = self._at, table
        for key in self._keys():
            path = (*path, key)
            self._note(path, start)
        self._at += 1  # the equals sign
        self._skip(_BLANKS)
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        match self._text[self._at]:
            case "[":
                self._list(path)
            case "{":
                self._inline_table(path)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_PLAIN)

    def _list(self, path: KeyPath) -> None:
        self._at += 1
        self._skip(_EMPTY)
        index = 0
        while self._text[self._at] != "]":
            self._note((*path, index), self._at)
            self._value((*path, index))
            self._skip(_EMPTY)
            index += 1
        self._at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        self._skip(_EMPTY)
        while self._text[self._at] != "}":
            self._pair(path)
            self._skip(_EMPTY)
        self._at += 1


def _next_start(start: int, length: int) -> int:
    return start + length + 1
