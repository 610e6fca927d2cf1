"""Split Rust source into tokens, to tell code from comments and strings.

Sufficient to find items and attributes; the compiler validates the source.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SIMPLE = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*)
  | (?P<open_comment>/\*)
  | (?P<raw>(?:b|c)?r(?P<hashes>\#{0,255})")
  | (?P<string>(?:b|c)?"(?:[^"\\]|\\.)*"?)
  | (?P<char>b?'(?:[^'\\\n]|\\(?:[^u]|u\{[0-9a-fA-F_]{0,8}\}?)[^'\n]{0,8})')
  | (?P<lifetime>'[^\W\d]\w*)
  | (?P<word>(?:r\#)?[^\W\d]\w*)
  | (?P<number>\d\w*)
  | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")


class RustToken(NamedTuple):
    """A token and its position."""

    kind: str
    text: str
    start: int
    end: int


def tokens(source: str) -> Iterator[RustToken]:
    r"""Return the tokens of a source, without white space and comments.

    >>> [token.text for token in tokens("fn f() { /* fn g */ \"fn h\"; }")]
    ['fn', 'f', '(', ')', '{', '"fn h"', ';', '}']
    """
    at = 0
    while at < len(source):
        match = _SIMPLE.match(source, at)
        if match is None:  # pragma: no cover - the last alternative takes any character
            return
        kind, end = match.lastgroup or "mark", match.end()
        if match["open_comment"]:
            kind, end = "comment", _end_of_comment(source, end)
        elif match["raw"]:
            kind, end = "string", _end_of_raw(source, end, match["hashes"])
        if kind not in {"space", "comment"}:
            yield RustToken(kind, source[at:end], at, end)
        at = end


def _end_of_comment(source: str, at: int) -> int:
    """Return the end of a block comment; comments nest."""
    depth = 1
    for match in _COMMENT_MARK.finditer(source, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(source)


def _end_of_raw(source: str, at: int, hashes: str) -> int:
    end = source.find(f'"{hashes}', at)
    return len(source) if end < 0 else end + 1 + len(hashes)


def defined_names(source: str, keywords: frozenset[str]) -> set[str]:
    r"""Return the names that follow one of these keywords, such as `fn`.

    >>> sorted(defined_names("fn a() {} // fn b\nstruct C;", frozenset({"fn", "struct"})))
    ['C', 'a']
    """
    names = set()
    before = ""
    for token in tokens(source):
        if token.kind == "word" and before in keywords:
            names.add(token.text.removeprefix("r#"))
        before = token.text
    return names
