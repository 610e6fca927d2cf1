"""Apply unified diffs to the files of a case.

Hunks are matched by text, nearest to the stated line: models miscount lines.
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
)  # the signature of `git format-patch`: dashes and a version
_NOWHERE = "/dev/null"
_TRIES = 200  # positions tried per hunk: files with a million equal lines are an attack
_MAX_WORK = 2_000_000  # lines compared per answer: thousands of hunks for a long file are an attack
_MOVED_PER_UNIT = 50  # lines moved in the time of one comparison
_COPIED_PER_UNIT = 25  # characters copied in that time


@dataclass(slots=True, kw_only=True)
class _Hunk:
    """Lines to replace and their replacement; `line` counts from 0."""

    line: int
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Patch:
    """The changes of one file."""

    old: str
    new: str
    hunks: list[_Hunk] = field(default_factory=list)


@dataclass(slots=True)
class _Budget:
    """The remaining work, in compared lines."""

    remaining: int = _MAX_WORK

    def spend(self, lines: int) -> bool:
        """Spend work; return whether the budget allowed it."""
        self.remaining -= lines
        return self.remaining >= 0


def is_diff(text: str) -> bool:
    r"""Whether a text contains the header of a unified diff and a hunk.

    >>> is_diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b")
    True
    """
    lines = text.split("\n")
    heads = (_OLD.match(line) and _NEW.match(after) for line, after in pairwise(lines))
    return any(heads) and any(line.startswith("@@") for line in lines)


def patched(diffs: Iterable[str], files: Mapping[str, str]) -> dict[str, str] | None:
    r"""Apply diffs to files; None if one does not apply or leaves the workspace.

    None also if the diffs exceed the work budget of an answer.

    >>> patched(["--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"], {"x": "a\n"})
    {'x': 'b\n'}
    >>> patched(["--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+b"], {"x": "a\nc\n"})
    {'x': 'a\nb\nc\n'}
    """
    changed = {name: text.replace("\r\n", "\n") for name, text in files.items()}
    patches, budget = [patch for diff in diffs for patch in _patches(diff)], _Budget()
    for patch in patches:
        before = [] if patch.old == _NOWHERE else _lines(changed.get(patch.old), budget)
        after = None if before is None else _applied(before, patch.hunks, budget)
        if after is None:
            return None
        changed.pop(patch.old, None)
        if patch.new != _NOWHERE and patch.new not in files and not stays_inside(patch.new):
            return None
        if patch.new != _NOWHERE:
            changed[patch.new] = "\n".join(after).rstrip("\n") + "\n"
    return changed if patches else None


def _lines(text: str | None, budget: _Budget) -> list[str] | None:
    """Split a file into lines, which costs work by lines and characters."""
    if text is None or not budget.spend(1 + text.count("\n") + len(text) // _COPIED_PER_UNIT):
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
            _add_line(lines[at], current)
        at += 1
    if current:
        yield current


def _add_line(line: str, patch: _Patch) -> None:
    """Add one line below the header of a patch."""
    if match := _HUNK.match(line):
        # A hunk without removed lines inserts after its line; any other starts at it.
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


def _applied(lines: list[str], hunks: list[_Hunk], budget: _Budget) -> list[str] | None:
    shift = 0
    result = list(lines)
    for hunk in hunks:
        _trim(hunk)
        index = _find(result, hunk.old, hunk.line + shift, budget)
        if index is None or not budget.spend(1 + len(result) // _MOVED_PER_UNIT):
            return None
        result[index : index + len(hunk.old)] = hunk.new
        shift = index - hunk.line + len(hunk.new) - len(hunk.old)
    return result


def _trim(hunk: _Hunk) -> None:
    """Drop empty lines at the end, which come from the end of the block."""
    while hunk.old and hunk.new and not hunk.old[-1] and not hunk.new[-1]:
        hunk.old.pop()
        hunk.new.pop()


def _find(lines: list[str], searched: list[str], near: int, budget: _Budget) -> int | None:
    """Return the index of the searched lines nearest to the stated line."""
    if not searched:
        return min(near, len(lines))
    if near >= 0 and lines[near : near + len(searched)] == searched:
        return near
    if not budget.spend(len(lines)):
        return None
    indexes = [index for index, line in enumerate(lines) if line == searched[0]]
    nearest = sorted(indexes, key=lambda index: abs(index - near))[:_TRIES]
    return next((index for index in nearest if lines[index : index + len(searched)] == searched), None)
