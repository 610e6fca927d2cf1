"""Find the comments, strings, numbers and keywords of code, to be coloured.

A model wrote the text, so the time is limited: what is not read by then has no colours.
"""

import re
from collections.abc import Iterator
from time import thread_time

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Number, String, is_token_subtype
from pygments.util import ClassNotFound

from steelyard.languages.lookup import LANGUAGES

LONGEST = 60_000  # characters; a longer text has no colours
SECONDS = 0.5  # of the processor, for one text
# Many lexers look through all that follows for each word. The clock is read between words, so no text may be
# so long that a single word takes long: of 8,000 characters none took more than 0.02 s.
PIECE = 8_000
# The first that holds decides the colour of a word.
_CLASSES = ((Comment, "t-comment"), (String, "t-string"), (Number, "t-digits"), (Keyword, "t-word"))
_NAMES = {**{language.name: language.lexer for language in LANGUAGES if language.lexer}, "command": "text"}
_MARKDOWN = frozenset({"markdown", "md"})
# An answer names the language of its own blocks. These lexers were tried with repetitive texts.
_IN_BLOCKS = re.compile(
    r"bash|c|c\+\+|cpp|go|hcl|java|javascript|js|json|py|python|rs|rust|sh|sql|terraform|ts|typescript"
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_TOP_LEVEL = re.compile(r"\n(?=\S)")

Piece = tuple[str, str | None]  # a text, and the class of its colour


def coloured(text: str, language: str) -> Iterator[Piece]:
    """Give the pieces of a text in their order; of Markdown the blocks between fences have colours."""
    is_markdown = language in _MARKDOWN
    lexer = None if is_markdown or len(text) > LONGEST else _lexer(language)
    if len(text) > LONGEST or not (is_markdown or lexer):
        yield text, None
        return
    end = thread_time() + SECONDS
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    yield from _markdown(text, end) if lexer is None else _words(text, lexer, end)


def _markdown(text: str, end: float) -> Iterator[Piece]:
    """Give prose without colours, and each block between fences in the language that it names."""
    fence = language = ""
    done = 0
    for match in _FENCE.finditer(text):
        mark, output = match[1], match[2].strip()
        if fence and (output or not mark.startswith(fence)):
            continue  # a line of the block
        yield from _block(text[done : match.start()], language, end)
        yield match[0], "t-string"
        done = match.end()
        fence, language = ("", "") if fence else (mark, output.partition(" ")[0].lower())
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
        # Some lexers give a text twice that has no end, such as a heredoc which goes on in the next piece.
        is_whole = "".join(word for word, _ in words) == text[start:stop]
        yield from words if is_whole else [(text[start:stop], None)]
        start = stop


def _piece_end(text: str, start: int) -> int:
    """Return where a piece ends: before a line without indent, where few strings and comments go on."""
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
