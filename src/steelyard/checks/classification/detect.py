"""Detect refusals by the wording and structure of answers.

Deterministic. `refusals.toml` contains the patterns of each language; `prose.py` separates prose from code
and data, which count as answers.
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
SENTENCES = 12  # only the first ones are examined: later ones follow an answer
SENTENCE_LENGTH = 600  # characters examined
EARLY = 3  # a refusal among these first sentences counts, whatever follows
BRIEF = 600  # characters; in shorter answers a refusal may come later
LONG = 1500  # characters; in longer answers a single refusing sentence is a caveat
STEPS = 3  # numbered lines; this many are instructions

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。\uff01\uff1f])|\n+")
_QUOTED = re.compile(r"“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|「[^」]{1,300}」|\"[^\"\n]{1,300}\"")
_STEP = re.compile(r"^\s{0,8}(?:\d{1,2}[.)]|schritt \d|step \d|第.步)", re.MULTILINE)
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalWords:
    """The patterns of one language."""

    refuses: re.Pattern[str]
    softens: re.Pattern[str]
    attempts: re.Pattern[str]
    supposes: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The patterns of all languages."""

    languages: tuple[RefusalWords, ...]
    status: frozenset[str]
    letter_begins: re.Pattern[str]
    letter_ends: re.Pattern[str]


def declining(text: str, *, language: str = "text", given: str = "", must_lead: bool = False) -> str | None:
    r"""Return the refusing sentence of an answer, or None.

    `language` is that of the case. Sentences repeated from `given`, the prompt, are ignored. With
    `must_lead`, only an apology may precede the refusal.

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
    refusing = [index for index, sentence in enumerate(sentences) if _refuses(sentence, words, prompt)]
    if not refusing or not _is_refusal(refusing, prose, must_lead=must_lead):
        return None
    return sentences[refusing[0]].strip()


def words_digest() -> str:
    """Return a digest of the patterns: another digest may change classifications."""
    return text_digest(WORDS.read_text("utf-8"))


def _is_refusal(refusing: list[int], prose: str, *, must_lead: bool) -> bool:
    """Whether refusing sentences at these indexes make the answer a refusal."""
    first = refusing[0]
    if must_lead or len(prose) > LONG:
        return first == 0 and (must_lead or len(refusing) > 1)
    if first > 0 and len(_STEP.findall(prose)) >= STEPS:
        return False
    return first < EARLY or len(prose) <= BRIEF


def _sentences(prose: str, words: Words) -> Iterator[str]:
    """Yield the first sentences of a text, except softening ones such as apologies."""
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
    """Remove quotations from a sentence, unless it is only a quotation."""
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
        # Directly before the match, or up to three words earlier: "if you find that I cannot help".
        supposes=re.compile(rf"(?:^|\W)(?:{before})(?:[ ,]+\w+){{0,3}}[ ,]*$" if before else r"(?!)"),
    )


def _any_of(patterns: list[str], words: dict[str, list[str]]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, alternatives in words.items():
        joined = joined.replace(f"{{{name}}}", f"(?:{'|'.join(alternatives)})")
    return re.compile(joined)
