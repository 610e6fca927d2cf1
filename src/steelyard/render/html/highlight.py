"""Highlight comments, strings, numbers and keywords of code.

The text is untrusted, so the time is limited: the rest of a slow text is not highlighted.
"""

import re
from collections.abc import Iterator
from time import thread_time

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Number, String, is_token_subtype
from pygments.util import ClassNotFound

from steelyard.languages.lookup import LANGUAGES

LONGEST = 60_000  # characters; longer texts are not highlighted
SECONDS = 0.5  # CPU time for one text
# Some lexers scan all remaining text for each token, and the clock is read between tokens, so pieces must be
# short: with 8,000 characters, no token took more than 0.02 s.
PIECE = 8_000
# The first match decides the class of a token.
_CLASSES = ((Comment, "t-comment"), (String, "t-string"), (Number, "t-digits"), (Keyword, "t-word"))
_NAMES = {**{language.name: language.lexer for language in LANGUAGES if language.lexer}, "command": "text"}
_MARKDOWN = frozenset({"markdown", "md"})
# Languages of fenced blocks, named by the answer. These lexers were tested with repetitive texts.
_IN_BLOCKS = re.compile(
    r"bash|c|c\+\+|cpp|go|hcl|java|javascript|js|json|py|python|rs|rust|sh|sql|terraform|ts|typescript"
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_TOP_LEVEL = re.compile(r"\n(?=\S)")

Piece = tuple[str, str | None]  # text and CSS class


def highlighted(text: str, language: str) -> Iterator[Piece]:
    """Yield the pieces of a text in order; in Markdown, fenced blocks are highlighted."""
    is_markdown = language in _MARKDOWN
    lexer = None if is_markdown or len(text) > LONGEST else _lexer(language)
    if len(text) > LONGEST or not (is_markdown or lexer):
        yield text, None
        return
    end = thread_time() + SECONDS
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    yield from _markdown(text, end) if lexer is None else _words(text, lexer, end)


def _markdown(text: str, end: float) -> Iterator[Piece]:
    """Yield prose without highlighting, and fenced blocks in the language that they name."""
    fence = language = ""
    done = 0
    for match in _FENCE.finditer(text):
        mark, info = match[1], match[2].strip()
        if fence and (info or not mark.startswith(fence)):
            continue  # inside the block
        yield from _block(text[done : match.start()], language, end)
        yield match[0], "t-string"
        done = match.end()
        fence, language = ("", "") if fence else (mark, info.partition(" ")[0].lower())
    yield from _block(text[done:], language, end)


def _block(text: str, language: str, end: float) -> Iterator[Piece]:
    is_known = _IN_BLOCKS.fullmatch(language) and text.strip()
    lexer = _lexer(language) if is_known and thread_time() < end else None
    if lexer is None:
        yield text, None
    else:
        yield from _words(text, lexer, end)


def _words(text: str, lexer: Lexer, end: float) -> Iterator[Piece]:
    start = 0
    while start < len(text):
        stop = _piece_end(text, start)
        words: list[Piece] = []
        for _, kind, word in lexer.get_tokens_unprocessed(text[start:stop]):
            if thread_time() > end:
                yield text[start:], None
                return
            words.append(
                (word, next((name for token, name in _CLASSES if is_token_subtype(kind, token)), None))
            )
        # Some lexers repeat unterminated text, such as a heredoc that continues in the next piece.
        is_whole = "".join(word for word, _ in words) == text[start:stop]
        yield from words if is_whole else [(text[start:stop], None)]
        start = stop


def _piece_end(text: str, start: int) -> int:
    """Return the end of a piece: before an unindented line, rarely inside a string or comment."""
    stop = start + PIECE
    if stop >= len(text):
        return len(text)
    lines = [match.end() for match in _TOP_LEVEL.finditer(text, start + PIECE // 2, stop)]
    return lines[-1] if lines else text.rfind("\n", start, stop) + 1 or stop


def _lexer(language: str) -> Lexer | None:
    name = _NAMES.get(language, language)
    if not name or name == "text":
        return None
    try:
        return get_lexer_by_name(name)
    except ClassNotFound:
        return None
