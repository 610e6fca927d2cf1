"""Find the pages of the documentation and the fenced blocks in them.

Reads Markdown only; nothing is run here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.repo.package import REPOSITORY

DOCS = REPOSITORY / "docs"
README = REPOSITORY / "README.md"
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*)\s*$")
HEADING = re.compile(r"^(?P<marks>#+) +(?P<text>.+?)\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block; `first` is the place of its first line among the lines of the page."""

    language: str
    first: int
    indent: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(REPOSITORY).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def blocks(self) -> list[Block]:
        return list(_blocks(self.lines))

    @property
    def prose(self) -> list[str]:
        """The lines outside fenced blocks."""
        fenced = {
            place
            for block in self.blocks
            for place in range(block.first - 1, block.first + len(block.lines) + 1)
        }
        return [line for place, line in enumerate(self.lines) if place not in fenced]

    def headings(self, level: int) -> list[str]:
        """Return the headings of one level."""
        found = (HEADING.match(line) for line in self.prose)
        return [match["text"] for match in found if match and len(match["marks"]) == level]

    def section(self, title: str) -> list[str]:
        """Return the prose under a heading, up to the next heading of the same or a higher level."""
        inside: list[str] = []
        depth = 0
        for line in self.prose:
            match = HEADING.match(line)
            if match and depth and len(match["marks"]) <= depth:
                break
            if depth:
                inside.append(line)
            elif match and match["text"] == title:
                depth = len(match["marks"])
        return inside

    def table(self, title: str) -> list[list[str]]:
        """Return the cells of the first table under a heading, without its head."""
        return _first_table(self.section(title))

    def table_after(self, words: str) -> list[list[str]]:
        """Return the cells of the first table after a line that holds these words."""
        place = next(place for place, line in enumerate(self.prose) if words in line)
        return _first_table(self.prose[place:])


def documentation_pages() -> list[Page]:
    """Return the pages of the site, in a stable order."""
    return [Page(path) for path in sorted(DOCS.rglob("*.md"))]


def all_pages() -> list[Page]:
    """Return the pages of the site and the page that greets a visitor of the repository."""
    return [Page(README), *documentation_pages()]


def _first_table(lines: list[str]) -> list[list[str]]:
    rows: list[str] = []
    for line in lines:
        if line.startswith("|"):
            rows.append(line)
        elif rows:
            break
    return [_cells(row) for row in rows[2:]]


def _cells(row: str) -> list[str]:
    # A bar inside code is written \| in a Markdown table.
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def _blocks(lines: list[str]) -> Iterator[Block]:
    place = 0
    while place < len(lines):
        opening = FENCE.match(lines[place])
        if opening is None:
            place += 1
            continue
        indent, first = opening["indent"], place + 1
        place = first
        while place < len(lines) and lines[place].rstrip() != f"{indent}```":
            place += 1
        content = tuple(line.removeprefix(indent) for line in lines[first:place])
        yield Block(language=opening["language"], first=first, indent=indent, lines=content)
        place += 1
