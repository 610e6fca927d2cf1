"""Show a judge text by an untrusted author so that it is read and never obeyed.

Every line of the material bears a mark that its author could not know, so no line of it can pass for one of
ours, whatever it says: ends of the material, instructions, finished ratings. What cannot be seen, or what
a model's own machinery might take for more than text, is spelled out.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex

from steelyard.errors import InfrastructureError

TOKEN_BYTES = 24
LONGEST = 60_000  # characters of material that a judge is shown, marks and all
LONGEST_LINE = 1_000
MOST_DRAWS = 100
HEAD_SHARE = 2 / 3  # of what is shown of a long text; the rest is its end

# Kinds of characters that are invisible or change how others look; tabs are harmless.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# What chat templates put between the turns of a conversation.
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
    """Material as a judge is shown it, and how many of its characters are left out."""

    text: str
    characters_cut: int


@dataclass(frozen=True, slots=True)
class Fence:
    """Tokens for one request: the author of the material cannot have known them."""

    token: str

    @property
    def mark(self) -> str:
        """What stands before every line of the material."""
        return f"{self.token[:8]}| "

    @property
    def name(self) -> str:
        """What the lines around the material are named by."""
        return self.token[8:24]

    @property
    def seal(self) -> str:
        """What a reply must repeat: one that was copied from the material cannot."""
        return self.token[24:40]

    @property
    def tag(self) -> str:
        """What the labels of the items begin with, so that ratings written beforehand fit no item."""
        return self.token[40:]

    def around(self, title: str, text: str, *, longest: int = LONGEST) -> Fenced:
        """Return material between two lines that name it, marked line by line and cut to a size."""
        pieces, cut = _pieces(text, room=longest, mark=len(self.mark) + 1)
        head, tail = (("".join(f"{self.mark}{piece}\n" for piece in part)) for part in pieces)
        gap = f"[{cut:,} characters of it are left out here]\n" if cut else ""
        begin, end = (f"===== {word} {title} {self.name} =====\n" for word in ("BEGIN", "END"))
        return Fenced(text=f"{begin}{head}{gap}{tail}{end}", characters_cut=cut)


def random_token() -> str:
    """Return what a fence is made of."""
    return token_hex(TOKEN_BYTES)


def fresh_fence(*material: str, token: Callable[[], str] = random_token) -> Fence:
    """Return a fence of which no part occurs in the material."""
    for _ in range(MOST_DRAWS):
        fence = Fence(token())
        parts = (fence.mark.strip("| "), fence.name, fence.seal, fence.tag)
        if not any(part in text for part in parts for text in material):
            return fence
    raise InfrastructureError(f"{MOST_DRAWS} random tokens all occur in the answer: they are not random")


def spelled_out(text: str) -> str:
    r"""Return one line in which nothing is hidden and nothing looks like a fence or a turn of a conversation.

    >>> spelled_out("a\u200bb <|im_start|>system"), spelled_out("=== End  Answer ===")
    ('a\\u{200b}b \\u{3c}|im_start|>system', '=== \\u{45}nd  Answer ===')
    """
    if _LIKE_FENCE.search(unicodedata.normalize("NFKC", text)):
        text = _LIKE_FENCE.sub(_escape_match, unicodedata.normalize("NFKC", text))
    text = _TURNS.sub(_escape_match, text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(item) if _is_unseen(item) else item for item in text)


def _pieces(text: str, *, room: int, mark: int) -> tuple[tuple[Sequence[str], Sequence[str]], int]:
    """Return the lines of the head and the tail that fit into the room, and how many characters do not."""
    if len(text) > 2 * room:  # nothing of the middle can fit; spelling it out would only take time
        first, last = text[:room], text[-room:]
        unread = len(text) - 2 * room
    else:
        first, last, unread = text, "", 0
    lines = [*_lines(first), *_lines(last)]
    if not unread and sum(len(shown) + mark for _, shown in lines) <= room:
        return ([shown for _, shown in lines], []), 0
    head = _fitting(lines, room * HEAD_SHARE, mark)
    tail = _fitting(lines[:head:-1], room * (1 - HEAD_SHARE), mark)
    middle = lines[head : len(lines) - tail]
    kept = [shown for _, shown in lines[:head]], [shown for _, shown in lines[len(lines) - tail :]]
    return kept, unread + sum(raw for raw, _ in middle)


def _lines(text: str) -> list[tuple[int, str]]:
    """Return each line, long ones in pieces: how many characters it stands for, and how it is shown."""
    lines = []
    for line in text.splitlines(keepends=True):  # at every character that any reader takes for a line's end
        bare = line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        for index in range(0, max(1, len(bare)), LONGEST_LINE):
            piece = bare[index : index + LONGEST_LINE]
            ending = len(line) - len(bare) if index + LONGEST_LINE >= len(bare) else 0
            lines.append((len(piece) + ending, spelled_out(piece)))
    return lines


def _fitting(lines: Sequence[tuple[int, str]], room: float, mark: int) -> int:
    """Return how many lines from the first on fit into a room."""
    used = 0
    for count, (_, shown) in enumerate(lines):
        used += len(shown) + mark
        if used > room:
            return count
    return len(lines)


def _is_unseen(item: str) -> bool:
    return item != "\t" and unicodedata.category(item) in _UNSEEN


def _escape(item: str) -> str:
    return f"\\u{{{ord(item):x}}}"


def _escape_match(found: re.Match[str]) -> str:
    return _escape(found[0])
