"""Apply unified diffs to the files of a case.

A hunk is placed by its text, nearest to the line it names, because models count lines badly.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from steelyard.checks.extraction.paths import stays_inside

_OLD = re.compile(r"--- (?:a/)?(?P<name>[^\t\n]+)")
_NEW = re.compile(r"\+\+\+ (?:b/)?(?P<name>[^\t\n]+)")
_HUNK = re.compile(r"@@ -(?P<line>\d{1,9})(?:,(?P<length>\d{1,9}))? \+\d+(?:,\d+)? @@|@@")
_SIGNED = re.compile(
    r"--[ ]?\n\d+\.\d[^\n]{0,40}"
)  # how `git format-patch` ends: a dash line and its version
_NOWHERE = "/dev/null"
_TRIES = 200  # places looked at for one hunk, the nearest first: a file of a million equal lines is an attack
_MOST_LOOKS = 2_000_000  # lines looked at for an answer: thousands of hunks for a long file are one too
_MOVED_AS_LOOKED = 50  # lines that are moved as quickly as one is looked at
_READ_AS_LOOKED = 25  # characters that are copied as quickly


@dataclass(slots=True, kw_only=True)
class _Hunk:
    """Lines to find and lines to put there; `line` counts from 0."""

    line: int
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Patch:
    """What a diff does to one file."""

    old: str
    new: str
    hunks: list[_Hunk] = field(default_factory=list)


@dataclass(slots=True)
class _Looks:
    """How many lines may still be looked at."""

    left: int = _MOST_LOOKS

    def spend(self, lines: int) -> bool:
        """Take some; return whether there were as many."""
        self.left -= lines
        return self.left >= 0


def is_diff(text: str) -> bool:
    r"""Whether a text holds the head of a unified diff and a hunk.

    >>> is_diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b")
    True
    """
    lines = text.split("\n")
    heads = (_OLD.match(line) and _NEW.match(after) for line, after in pairwise(lines))
    return any(heads) and any(line.startswith("@@") for line in lines)


def patched(diffs: Iterable[str], files: Mapping[str, str]) -> dict[str, str] | None:
    r"""Return all files after some diffs, or None when one does not fit them or leads out of the workspace.

    None also for diffs that would take longer than any honest ones do, all of an answer together.

    >>> patched(["--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"], {"x": "a\n"})
    {'x': 'b\n'}
    >>> patched(["--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+b"], {"x": "a\nc\n"})
    {'x': 'a\nb\nc\n'}
    """
    result = {name: text.replace("\r\n", "\n") for name, text in files.items()}
    patches, looks = [patch for diff in diffs for patch in _patches(diff)], _Looks()
    for patch in patches:
        before = [] if patch.old == _NOWHERE else _lines(result.get(patch.old), looks)
        after = None if before is None else _applied(before, patch.hunks, looks)
        if after is None:
            return None
        result.pop(patch.old, None)
        if patch.new != _NOWHERE and patch.new not in files and not stays_inside(patch.new):
            return None
        if patch.new != _NOWHERE:
            result[patch.new] = "\n".join(after).rstrip("\n") + "\n"
    return result if patches else None


def _lines(text: str | None, looks: _Looks) -> list[str] | None:
    """Take a file apart, which costs as much as a look at each of its lines, or more if they are long."""
    if text is None or not looks.spend(1 + text.count("\n") + len(text) // _READ_AS_LOOKED):
        return None
    return text.split("\n")


def _patches(diff: str) -> Iterator[_Patch]:
    lines = diff.split("\n")
    current: _Patch | None = None
    at = 0
    while at < len(lines):
        head = _OLD.match(lines[at])
        after = _NEW.match(lines[at + 1]) if head and at + 1 < len(lines) else None
        if head and after:
            if current:
                yield current
            current = _Patch(old=head["name"].strip(), new=after["name"].strip())
            at += 2
            continue
        if current and _SIGNED.fullmatch("\n".join(lines[at : at + 2])):
            yield current
            current = None
        if current:
            _read(lines[at], current)
        at += 1
    if current:
        yield current


def _read(line: str, patch: _Patch) -> None:
    """Take in one line below the head of a patch."""
    if match := _HUNK.match(line):
        # A hunk that takes nothing away stands behind its line, any other begins with it.
        first = int(match["line"] or 1) - (match["length"] is None or int(match["length"]) > 0)
        patch.hunks.append(_Hunk(line=max(first, 0)))
        return
    if not patch.hunks or line.startswith(("\\", "diff --git", "index ")):
        return
    hunk = patch.hunks[-1]
    mark, text = line[:1], line[1:]
    if mark in {"-", " ", ""}:
        hunk.old.append(text)
    if mark in {"+", " ", ""}:
        hunk.new.append(text)


def _applied(lines: list[str], hunks: list[_Hunk], looks: _Looks) -> list[str] | None:
    shift = 0
    result = list(lines)
    for hunk in hunks:
        _trim(hunk)
        index = _place(result, hunk.old, hunk.line + shift, looks)
        if index is None or not looks.spend(1 + len(result) // _MOVED_AS_LOOKED):
            return None
        result[index : index + len(hunk.old)] = hunk.new
        shift = index - hunk.line + len(hunk.new) - len(hunk.old)
    return result


def _trim(hunk: _Hunk) -> None:
    """Drop empty lines that only the end of the block put below a hunk."""
    while hunk.old and hunk.new and not hunk.old[-1] and not hunk.new[-1]:
        hunk.old.pop()
        hunk.new.pop()


def _place(lines: list[str], wanted: list[str], near: int, looks: _Looks) -> int | None:
    """Return where the wanted lines stand, as near as can be to the line named."""
    if not wanted:
        return min(near, len(lines))
    if near >= 0 and lines[near : near + len(wanted)] == wanted:
        return near
    if not looks.spend(len(lines)):
        return None
    places = sorted((at for at, line in enumerate(lines) if line == wanted[0]), key=lambda at: abs(at - near))
    return next((at for at in places[:_TRIES] if lines[at : at + len(wanted)] == wanted), None)
