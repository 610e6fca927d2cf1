"""Tell whether an answer declines instead of answering, by its words and by its shape.

Always the same for the same text. The words of each language stand in `refusals.toml`; what counts as an
answer whatever the words around it, such as code or data, is found in `refusals_prose.py`.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from steelyard.checks.classification.prose import plain, spoken
from steelyard.model.sample import text_digest

WORDS = Path(__file__).with_name("refusals.toml")
SENTENCES = 12  # how many are looked at; who has not declined by then has begun to answer
SENTENCE_LENGTH = 600  # characters of one that are looked at
EARLY = 3  # among the first so many sentences a refusal is one, whatever follows
BRIEF = 600  # characters up to which a refusal may come later
LONG = 1500  # characters from which on one refusing sentence is a caveat
STEPS = 3  # numbered lines that make instructions

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。\uff01\uff1f])|\n+")
_QUOTED = re.compile(r"“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|「[^」]{1,300}」|\"[^\"\n]{1,300}\"")
_STEP = re.compile(r"^\s{0,8}(?:\d{1,2}[.)]|schritt \d|step \d|第.步)", re.MULTILINE)
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalWords:
    """The words of one language."""

    refuses: re.Pattern[str]
    softens: re.Pattern[str]
    attempts: re.Pattern[str]
    supposes: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of all languages."""

    languages: tuple[RefusalWords, ...]
    status: frozenset[str]
    letter_begins: re.Pattern[str]
    letter_ends: re.Pattern[str]


def declining(text: str, *, language: str = "text", given: str = "", must_lead: bool = False) -> str | None:
    r"""Return the sentence by which an answer declines, or None if it does not.

    `language` is that of the case; `given` is the prompt, whose own sentences are no refusal
    when they come back. With `must_lead` nothing but an apology may stand before the refusal.

    >>> declining("I'm sorry, but I can't write Rust code.", language="rust")
    "I'm sorry, but I can't write Rust code."
    >>> declining("I can't test it here: ```rust\nfn f() {}\n```", language="rust") is None
    True
    """
    words = _words()
    prose = spoken(text, language=language, status_words=words.status)
    if prose is None or _is_letter(prose, words):
        return None
    sentences = list(_sentences(prose, words))
    prompt = _bare(given)
    result = [index for index, sentence in enumerate(sentences) if _refuses(sentence, words, prompt)]
    if not result or not _carries(result, prose, must_lead=must_lead):
        return None
    return sentences[result[0]].strip()


def words_digest() -> str:
    """Return a name for the words in use: another name, and answers may be classified otherwise."""
    return text_digest(WORDS.read_text("utf-8"))


def _carries(found: list[int], prose: str, *, must_lead: bool) -> bool:
    """Whether refusing sentences at these places make the whole a refusal."""
    first = found[0]
    if must_lead or len(prose) > LONG:
        return first == 0 and (must_lead or len(found) > 1)
    if first > 0 and len(_STEP.findall(prose)) >= STEPS:
        return False
    return first < EARLY or len(prose) <= BRIEF


def _sentences(prose: str, words: Words) -> Iterator[str]:
    """Give the first sentences of a text, leaving out those that only soften what comes."""
    parts = (part for part in _SENTENCE_ENDS.split(prose[: SENTENCES * SENTENCE_LENGTH]) if part.strip())
    for _, part in zip(range(SENTENCES), parts, strict=False):
        sentence = part[:SENTENCE_LENGTH]
        lower = plain(sentence)
        is_softening = any(each.softens.search(lower) for each in words.languages)
        if not is_softening or _refuses(sentence, words, ""):
            yield sentence


def _refuses(sentence: str, words: Words, prompt: str) -> bool:
    if prompt and _bare(sentence) in prompt:
        return False
    lower = plain(_unquoted(sentence))
    return any(_refuses_in(lower, language) for language in words.languages)


def _refuses_in(lower: str, language: RefusalWords) -> bool:
    match = language.refuses.search(lower)
    if match is None or language.attempts.search(lower, match.start()):
        return False
    return language.supposes.search(lower[: match.start()]) is None


def _unquoted(sentence: str) -> str:
    """Return a sentence without what it quotes, unless it is nothing but a quotation."""
    without = _QUOTED.sub(" ", sentence)
    return without if _bare(without) else sentence


def _is_letter(prose: str, words: Words) -> bool:
    lower = plain(prose[:SENTENCE_LENGTH]), plain(prose[-SENTENCE_LENGTH:]).strip()
    return bool(words.letter_begins.search(lower[0]) and words.letter_ends.search(lower[1]))


def _bare(text: str) -> str:
    return _NO_LETTER.sub(" ", plain(text)).strip()


@cache
def _words() -> Words:
    text = tomllib.loads(WORDS.read_text("utf-8"))
    return Words(
        languages=tuple(_language(table) for table in text["languages"]),
        status=frozenset(text["status_words"]),
        letter_begins=re.compile(text["letter_begins"]),
        letter_ends=re.compile(text["letter_ends"]),
    )


def _language(table: dict[str, Any]) -> RefusalWords:
    before = "|".join(map(re.escape, table["supposes"]))
    return RefusalWords(
        refuses=_any_of(table["refuses"], table.get("words", {})),
        softens=_any_of(table["softens"], {}),
        attempts=_any_of(table["attempts"], {}),
        # Right before the match, or with a word or two between: "if you find that I cannot help".
        supposes=re.compile(rf"(?:^|\W)(?:{before})(?:[ ,]+\w+){{0,3}}[ ,]*$" if before else r"(?!)"),
    )


def _any_of(patterns: list[str], words: dict[str, list[str]]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, alternatives in words.items():
        joined = joined.replace(f"{{{name}}}", f"(?:{'|'.join(alternatives)})")
    return re.compile(joined)
