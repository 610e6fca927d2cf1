"""Split Terraform code into tokens: separates code from comments, strings, heredocs and templates.

Not a parser: it follows Terraform's own scanner closely enough for that.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class TokenKind(StrEnum):
    """The kind of a token."""

    NAME = "name"
    TEXT = "text"  # a quoted string or a heredoc, without its quotes
    MARK = "mark"  # a brace, bracket or other sign
    LINE = "line"  # the end of a line


@dataclass(frozen=True, slots=True, kw_only=True)
class HclToken:
    """A token; `inside`: whether it is in a template such as `"${here}"`."""

    kind: TokenKind
    text: str
    line: int
    inside: bool = False


@dataclass(slots=True)
class _Level:
    """A nesting level: code, or a text up to `end` (a quote, or the word of a heredoc)."""

    end: str | None = None  # None: code
    start: int = 0
    braces: int = 0
    line: int = 1
    closing: re.Pattern[str] | None = field(default=None)


LONGEST_TEXT = 4096  # characters kept: nested texts would contain each other
# Non-ASCII characters can only be parts of names: Terraform rejects others. So versions of Unicode do not
# matter.
_NAME = r"[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff-]*"
_CODE = re.compile(
    r"(?P<space>\A\ufeff|[ \t\r]+)"
    r"|(?P<comment>\#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"
    rf"|(?P<heredoc><<-?(?P<word>{_NAME})[ \t]*\r?\n)"
    rf"|(?P<name>{_NAME})"
    r"|(?P<quote>\")"
    r"|(?P<line>\n)"
    r"|(?P<other>[{}()\[\]]|[^\s\#/<\w\"{}()\[\]\x80-\U0010ffff]+|.)",
    re.DOTALL,
)
# Whitespace around the end of a heredoc: Go's definition, narrower than Python's.
_BLANKS = r"[^\S\n\x1c-\x1f]*"
_IN_QUOTES = re.compile(
    r"[^\"\\$%\n]+|\\.|\$\$\{|%%\{|(?P<template>[$%]\{)|(?P<end>\")|(?P<broken>\n)|.", re.DOTALL
)
_IN_HEREDOC = re.compile(r"[^$%\n]+|\$\$\{|%%\{|(?P<template>[$%]\{)|(?P<line>\n)|.", re.DOTALL)


def tokens(code: str) -> Iterator[HclToken]:
    """Yield the tokens of code in linear time; never raises.

    >>> [token.text for token in tokens('a = "b" # c')]
    ['a', '=', 'b']
    """
    levels = [_Level()]
    at, line = 0, 1
    while at < len(code):
        here = levels[-1]
        if here.end is None:
            match = _CODE.match(code, at)
            assert match is not None  # noqa: S101  # the last alternative fits anything
            yield from _code_tokens(match, line, levels)
        else:
            match = (_IN_QUOTES if here.end == '"' else _IN_HEREDOC).match(code, at)
            assert match is not None  # noqa: S101  # as above
            yield from _text_tokens(match, code, line, levels)
        line += match.group().count("\n")
        at = match.end()


def _code_tokens(match: re.Match[str], line: int, levels: list[_Level]) -> Iterator[HclToken]:
    """Yield a token of code; enter strings and heredocs, leave templates."""
    inside = len(levels) > 1
    kind, text = match.lastgroup, match.group()
    if kind == "quote":
        levels.append(_Level(end='"', start=match.end(), line=line))
    elif kind == "heredoc":
        word = match["word"]
        closing = re.compile(rf"{_BLANKS}{re.escape(word)}{_BLANKS}(?=\n|\Z)")
        levels.append(_Level(end=word, start=match.end(), line=line, closing=closing))
        if closing.match(match.string, match.end()):
            yield from _closed_heredoc(match.string, match.end(), levels)
    elif kind == "name":
        yield HclToken(kind=TokenKind.NAME, text=text, line=line, inside=inside)
    elif kind == "line":
        yield HclToken(kind=TokenKind.LINE, text=text, line=line, inside=inside)
    elif kind == "other":
        level = levels[-1]
        level.braces += (text == "{") - (text == "}")
        if inside and level.braces < 0:
            levels.pop()  # the end of a template
        else:
            yield HclToken(kind=TokenKind.MARK, text=text, line=line, inside=inside)


def _text_tokens(match: re.Match[str], code: str, line: int, levels: list[_Level]) -> Iterator[HclToken]:
    """Yield a token of a string or heredoc; leave it, or enter a template."""
    groups = match.groupdict()
    here = levels[-1]
    if groups.get("template"):
        levels.append(_Level(start=match.end(), line=line))
    elif groups.get("end") or groups.get("broken"):
        levels.pop()
        yield HclToken(
            kind=TokenKind.TEXT,
            text=code[here.start : min(match.start(), here.start + LONGEST_TEXT)],
            line=here.line,
            inside=len(levels) > 1,
        )
    elif groups.get("line") and here.closing and here.closing.match(code, match.end()):
        yield from _closed_heredoc(code, match.end(), levels)


def _closed_heredoc(code: str, end: int, levels: list[_Level]) -> Iterator[HclToken]:
    """Leave a heredoc; its closing word is then read as code, which is harmless."""
    here = levels.pop()
    text = code[here.start : min(end, here.start + LONGEST_TEXT)]
    yield HclToken(kind=TokenKind.TEXT, text=text, line=here.line, inside=len(levels) > 1)
