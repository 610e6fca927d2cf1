"""Extract the prose of an answer, unless it contains code, data or a table: those are an answer.

Code that is only comments, and JSON or markup that is only a message, count as prose.
"""

import re
import unicodedata
from collections.abc import Iterator

from steelyard.checks.extraction.extract import extract
from steelyard.checks.extraction.fences import blocks
from steelyard.checks.forms.text.formats import unfenced, without_thoughts
from steelyard.checks.forms.text.json import json_in

TEXTS = frozenset({"text", "json"})  # languages without programs
SENTENCE_WORDS = 4  # the fewest words of a sentence in data
LONGEST = 20_000  # characters examined

_COMMENT_BLOCKS = re.compile(r"/\*(.*?)\*/|<!--(.*?)-->|\"\"\"(.*?)\"\"\"|'''(.*?)'''", re.DOTALL)
_COMMENT_LINE = re.compile(r"\s{0,40}(?://+!?|#+|--+|;+|%+|\*)\s?(.*)")
_CODE_SIGN = re.compile(r"[{}();=<>\[\]|]")
_DATA = re.compile(
    r"\{[^{}]{0,2000}[:=][^{}]{0,2000}\}|\[\s{0,20}[\d\"'{-][^\]]{0,2000}\]|^[^|\n]{0,200}\|[^|\n]{0,200}\|",
    re.MULTILINE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<[!?][^<>]{0,300}>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_QUOTES = str.maketrans(dict.fromkeys("\u2019\u2018\u02bc\u00b4`", "'"))


def plain(text: str) -> str:
    r"""Normalise a text for comparison: Unicode NFKC, lower case, straight quotes.

    >>> plain("I CAN\u2019T  he\u200blp")
    "i can't help"
    """
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_QUOTES).lower()
    return re.sub(r"[ \t\r\f\v\u00a0]+", " ", folded)


def spoken(text: str, *, language: str, status_words: frozenset[str]) -> str | None:
    """Return the prose of an answer; None if it contains code or data."""
    thoughts = without_thoughts(text)[:LONGEST]
    data = json_in(thoughts)
    if data is not None:
        return _in_data(data.value, status_words)
    fenced_blocks = blocks(thoughts)
    if fenced_blocks:
        insides = [_prose(block.text) for block in fenced_blocks]
        if None in insides:
            return None
        return "\n".join((_outside(thoughts), *(inside for inside in insides if inside)))
    if language not in TEXTS and extract(thoughts, language).is_code:
        return _uncommented(thoughts)
    bare = _TAG.sub("\n", unfenced(thoughts))
    return None if _DATA.search(bare) else bare


def _in_data(value: object, status_words: frozenset[str]) -> str | None:
    """Return the sentences in data; None if it contains anything but sentences and status words."""
    sentences = []
    for leaf in _leaves(value):
        if not isinstance(leaf, str | bool) and leaf is not None:
            return None
        if isinstance(leaf, str) and leaf.strip():
            if not _is_sentence(leaf) and plain(leaf).strip() not in status_words:
                return None
            sentences += [leaf] if _is_sentence(leaf) else []
    return "\n".join(sentences)


def _leaves(value: object) -> Iterator[object]:
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            pending += reversed(node.values())
        elif isinstance(node, list):
            pending += reversed(node)
        else:
            yield node


def _is_sentence(text: str) -> bool:
    # Languages written without spaces use characters beyond U+2E7F.
    is_dense = sum(character > "\u2e7f" for character in text) >= SENTENCE_WORDS
    return is_dense or len(text.split()) >= SENTENCE_WORDS


def _outside(text: str) -> str:
    """Return the text outside fences."""
    is_inside, kept = False, []
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            is_inside = not is_inside
        elif not is_inside:
            kept.append(line)
    return "\n".join(kept)


def _prose(block: str) -> str | None:
    """Return the prose of a fenced block; None if it contains code."""
    comments = _uncommented(block)
    if comments is not None:
        return comments
    return None if _CODE_SIGN.search(block) or not _is_sentence(block) else block


def _uncommented(code: str) -> str | None:
    """Return the comments of code that contains nothing else, or None."""
    text = [next(filter(None, groups), "") for groups in _COMMENT_BLOCKS.findall(code)]
    for line in _COMMENT_BLOCKS.sub("", code).split("\n"):
        comment = _COMMENT_LINE.fullmatch(line)
        if comment is None and line.strip():
            return None
        text += [comment[1]] if comment else []
    return "\n".join(text)
