"""Find the fenced blocks of an answer, leniently.

`extract` decides which blocks contain the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from steelyard.checks.extraction.lexers import names_of
from steelyard.languages.lookup import language_of_fence

_FENCE = re.compile(r"(?P<indent>[ \t]*(?:>[ \t]?)*)(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_ONE_LINE = re.compile(r"[ \t]*(?P<marks>`{3,})(?P<text>[^`]+)(?P=marks)[ \t]*")
_QUOTED = ("markdown", "md", "mdx")  # blocks that may contain other blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class FencedBlock:
    """A fenced block: the text after the fence, inside, and in the line above."""

    info: str
    text: str
    above: str = ""
    closed: bool = True


@dataclass(slots=True, kw_only=True)
class _Open:
    """A block that is not closed yet."""

    marks: str
    indent: str
    info: str
    above: str
    lines: list[str] = field(default_factory=list)
    depth: int = 0

    @property
    def is_quoted(self) -> bool:
        return _first_word(self.info) in _QUOTED

    def add(self, line: str) -> None:
        shared = 0
        while shared < len(self.indent) and line[shared : shared + 1] == self.indent[shared]:
            shared += 1
        self.lines.append(line[shared:])

    def closes(self, fence: re.Match[str]) -> bool:
        marks, info = fence["marks"], fence["info"].strip()
        return marks[0] == self.marks[0] and len(marks) >= len(self.marks) and not info

    def block(self, *, closed: bool) -> FencedBlock:
        text = "\n".join(self.lines)
        if not closed:
            text = _without_late_fence(text, self.marks)
        return FencedBlock(info=self.info, text=text, above=self.above, closed=closed)


def blocks(text: str) -> list[FencedBlock]:
    r"""Return the blocks of an answer in order, including those inside Markdown blocks.

    An unclosed block ends at the next fence with a language, or at the end of the text.

    >>> [block.text for block in blocks("Here:\n```rust\nfn f() {}\n```\n~~~\nx")]
    ['fn f() {}', 'x']
    """
    fenced_blocks = list(_outer_blocks(text))
    return [inner for block in fenced_blocks for inner in _with_inner_blocks(block)]


def _with_inner_blocks(block: FencedBlock) -> list[FencedBlock]:
    if _first_word(block.info) not in _QUOTED:
        return [block]
    return list(_outer_blocks(block.text)) or [block]


def _outer_blocks(text: str) -> Iterator[FencedBlock]:
    current: _Open | None = None
    above = ""
    for line in text.split("\n"):
        match = _fence(line)
        if current is None:
            if match is not None:
                current = _opened(match, above)
            elif one_line := _ONE_LINE.fullmatch(line):
                yield _one_line_block(one_line["text"], above)
            above = line if line.strip() else above
            continue
        if match is None:
            current.add(line)
        elif current.closes(match) and not (current.is_quoted and current.depth):
            yield current.block(closed=True)
            current, above = None, ""
        elif _opens_another(match, current):
            yield current.block(closed=False)
            current = _opened(match, "")
        else:
            current.depth += _nesting(match, current)
            current.add(line)
    if current is not None:
        yield current.block(closed=False)


def _fence(line: str) -> re.Match[str] | None:
    match = _FENCE.match(line)
    if match is None or (match["marks"][0] == "`" and "`" in match["info"]):
        return None
    return match


def _opened(fence: re.Match[str], above: str) -> _Open:
    return _Open(
        marks=fence["marks"], indent=fence["indent"], info=fence["info"].strip(), above=above.strip()
    )


def _one_line_block(text: str, above: str) -> FencedBlock:
    first, _, rest = text.strip().partition(" ")
    if rest and language_of_fence(first):
        return FencedBlock(info=first, text=rest.strip(), above=above.strip())
    return FencedBlock(info="", text=text.strip(), above=above.strip())


def _opens_another(fence: re.Match[str], current: _Open) -> bool:
    """Whether a fence inside an open block starts another block."""
    if current.is_quoted or fence["marks"] != current.marks:
        return False
    word = _first_word(fence["info"])
    return language_of_fence(word) is not None or bool(word and names_of(word))


def _nesting(fence: re.Match[str], current: _Open) -> int:
    """Return the change of depth by a fence inside a Markdown block."""
    if not current.is_quoted or fence["marks"] != current.marks:
        return 0
    return 1 if fence["info"].strip() else -1 if current.depth else 0


def _first_word(info: str) -> str:
    """Return the first word after a fence, without braces and dots of other dialects."""
    words = re.split(r"[\s,:{}=.]+", info[:200].strip().lower(), maxsplit=2)
    return next((word for word in words if word), "")


def _without_late_fence(text: str, marks: str) -> str:
    """Remove a fence at the end of the last line of an unclosed block."""
    end = text.rstrip()
    return end[: -len(marks)].rstrip() if end.endswith(marks) else text
