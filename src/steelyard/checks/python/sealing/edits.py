"""Replace parts of a source text without moving its lines.

Edits are ranges of bytes. Of two that overlap, the one that starts first, or the longer one, is applied.
"""

import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from steelyard.checks.python.sealing.scopes import Module


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces a range by `before`, the range's line breaks, and `after`."""

    start: int
    end: int
    before: str = ""
    after: str = ""


def apply_edits(source: bytes, edits: Iterable[Edit]) -> str:
    """Return the source with all edits applied."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < position:
            continue
        breaks = b"\n" * (len((source[edit.start : edit.end] + b".").splitlines()) - 1)
        pieces += [source[position : edit.start], edit.before.encode(), breaks, edit.after.encode()]
        position = edit.end
    return b"".join([*pieces, source[position:]]).decode()


def comments(module: Module) -> Iterator[Edit]:
    """Yield edits that remove all comments."""
    for token in tokenize.generate_tokens(io.StringIO(module.source.decode()).readline):
        if token.type == tokenize.COMMENT:
            start = module.offset(*token.start)
            yield Edit(start, start + len(token.string.encode()))
