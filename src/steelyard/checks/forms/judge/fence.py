"""Quote untrusted text in prompts of judges, so that it cannot pose as instructions.

Every line of the material starts with a random mark, so it cannot imitate the end of the material, our
instructions or ratings. Invisible characters and control sequences of chat templates are escaped.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex

from steelyard.errors import InfrastructureError

TOKEN_BYTES = 24
LONGEST = 60_000  # characters of material in a prompt, including marks
LONGEST_LINE = 1_000
MAX_TOKENS = 100
HEAD_SHARE = 2 / 3  # of a truncated text; the rest is its end

# Categories of invisible and formatting characters; tabs are harmless.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Turn separators of chat templates.
_TURNS = re.compile(
    r"<(?=[|\uff5c][^<>\n]{1,60}[|\uff5c]>|/?s>|(?:start|end)_of_turn>|</?SYS>>)|\[(?=/?INST\])",
    re.IGNORECASE,
)
_LIKE_FENCE = re.compile(
    r"[be](?=(?:egin|nd)s?[\W_]{1,40}(?:of[\W_]{1,40})?(?:the[\W_]{1,40})?(?:answer|task|material)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fenced:
    """Quoted material, and the number of omitted characters."""

    text: str
    characters_cut: int


@dataclass(frozen=True, slots=True)
class Fence:
    """Random tokens of one request, unknown to the author of the material."""

    token: str

    @property
    def mark(self) -> str:
        """The prefix of every line of the material."""
        return f"{self.token[:8]}| "

    @property
    def name(self) -> str:
        """The name in the lines around the material."""
        return self.token[8:24]

    @property
    def seal(self) -> str:
        """A token that the reply must repeat; text copied from the material lacks it."""
        return self.token[24:40]

    @property
    def tag(self) -> str:
        """The prefix of item labels, so prepared ratings match no item."""
        return self.token[40:]

    def around(self, title: str, text: str, *, longest: int = LONGEST) -> Fenced:
        """Quote material between two named lines, with marks, truncated to a size."""
        pieces, cut = _pieces(text, room=longest, mark=len(self.mark) + 1)
        head, tail = (("".join(f"{self.mark}{piece}\n" for piece in part)) for part in pieces)
        gap = f"[{cut:,} characters of it are left out here]\n" if cut else ""
        begin, end = (f"===== {word} {title} {self.name} =====\n" for word in ("BEGIN", "END"))
        return Fenced(text=f"{begin}{head}{gap}{tail}{end}", characters_cut=cut)


def random_token() -> str:
    """Return a random token for a fence."""
    return token_hex(TOKEN_BYTES)


def fresh_fence(*material: str, token: Callable[[], str] = random_token) -> Fence:
    """Return a fence whose tokens do not occur in the material."""
    for _ in range(MAX_TOKENS):
        fence = Fence(token())
        parts = (fence.mark.strip("| "), fence.name, fence.seal, fence.tag)
        if not any(part in text for part in parts for text in material):
            return fence
    raise InfrastructureError(f"{MAX_TOKENS} random tokens occur in the answer: the generator is not random")


def escape_line(text: str) -> str:
    r"""Escape invisible characters, and text that resembles fences or turn separators, in a line.

    >>> escape_line("a\u200bb <|im_start|>system"), escape_line("=== End  Answer ===")
    ('a\\u{200b}b \\u{3c}|im_start|>system', '=== \\u{45}nd  Answer ===')
    """
    if _LIKE_FENCE.search(unicodedata.normalize("NFKC", text)):
        text = _LIKE_FENCE.sub(_escape_match, unicodedata.normalize("NFKC", text))
    text = _TURNS.sub(_escape_match, text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if _is_invisible(character) else character for character in text)


def _pieces(text: str, *, room: int, mark: int) -> tuple[tuple[Sequence[str], Sequence[str]], int]:
    """Return the lines of head and tail that fit, and the number of omitted characters."""
    if len(text) > 2 * room:  # the middle cannot fit; do not escape it
        first, last = text[:room], text[-room:]
        unread = len(text) - 2 * room
    else:
        first, last, unread = text, "", 0
    lines = [*_lines(first), *_lines(last)]
    if not unread and sum(len(shown) + mark for _, shown in lines) <= room:
        return ([shown for _, shown in lines], []), 0
    head = _count_fitting(lines, room * HEAD_SHARE, mark)
    tail = _count_fitting(lines[:head:-1], room * (1 - HEAD_SHARE), mark)
    middle = lines[head : len(lines) - tail]
    kept = [shown for _, shown in lines[:head]], [shown for _, shown in lines[len(lines) - tail :]]
    return kept, unread + sum(raw for raw, _ in middle)


def _lines(text: str) -> list[tuple[int, str]]:
    """Return each line, long ones in pieces: its original length and its escaped text."""
    lines = []
    for line in text.splitlines(keepends=True):  # at all Unicode line boundaries
        bare = line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        for index in range(0, max(1, len(bare)), LONGEST_LINE):
            piece = bare[index : index + LONGEST_LINE]
            ending = len(line) - len(bare) if index + LONGEST_LINE >= len(bare) else 0
            lines.append((len(piece) + ending, escape_line(piece)))
    return lines


def _count_fitting(lines: Sequence[tuple[int, str]], room: float, mark: int) -> int:
    """Return the number of leading lines that fit."""
    used = 0
    for count, (_, shown) in enumerate(lines):
        used += len(shown) + mark
        if used > room:
            return count
    return len(lines)


def _is_invisible(character: str) -> bool:
    return character != "\t" and unicodedata.category(character) in _INVISIBLE


def _escape(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def _escape_match(match: re.Match[str]) -> str:
    return _escape(match[0])
