"""Plain words: code, messages and pages say what software does, in the usual technical words.

`make words` runs this file. Eval sets that we ship are left out (their texts are tasks), and so is the prompt
that judges get, whose words are part of how they were measured.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.messages import long_sentences, messages, messages_in, words
from tests.house.package import REPOSITORY

INSTEAD = {
    r"nobody": "no one, no reader, unknown … or `nobody`, the user, in backticks",
    r"whoever|whomever|whom": "name who acts: the caller, the user, the writer",
    r"somebody|everybody": "name who acts: another process, a colleague, all users",
    r"told(?! apart)": "reported, described, message",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"bury|buries|buried": "reap",
    r"since we broke": "infrastructure errors",
    r"(?-i:Beside that)": "Also",
    r"how large a drop may hide": "the largest plausible drop",
    r"in vain": "unbilled, without effect",
    r"workshop|roster|crew": "resources, subjects, workers",
}
LEFT_OUT = (
    "src/steelyard/sources/shipped/",
    "src/steelyard/checks/judge/prompt.py",
    "src/steelyard/checks/refusals/refusals.toml",
    "docs/decisions/",  # records of their time
)
KINDS = (".py", ".md", ".toml", ".sql", ".js")
NO_PROSE = re.compile(r"`[^`\n]*`|\b[A-Z_]{2,}\b")  # code in backticks, and constants such as NOBODY


def files() -> Iterator[Path]:
    """Find everything that users and developers read, tests aside."""
    pages = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md")]
    found = [path for folder in ("src", "docs") for path in (REPOSITORY / folder).rglob("*")]
    for path in sorted([*pages, *found]):
        if path.suffix in KINDS and not str(path.relative_to(REPOSITORY)).startswith(LEFT_OUT):
            yield path


def uses(pattern: str) -> Iterator[str]:
    """Find the lines with a word, with file and number."""
    word = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    for path in files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if word.search(NO_PROSE.sub("", line)):
                yield f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()}"


def test_no_sentence_of_a_message_is_longer_than_a_tired_reader_bears() -> None:
    assert len(list(messages())) > 500  # they are found at all
    assert long_sentences() == []


def test_a_long_sentence_would_be_seen() -> None:
    source = f'raise UserError(f"{{name}}: {"word " * 26}. Short one.")'

    (found,) = messages_in(source, "x.py")

    assert [words(sentence) for sentence in found.sentences()] == [27, 2]


@pytest.mark.parametrize("word", INSTEAD)
def test_an_odd_word_is_not_used(word: str) -> None:
    assert list(uses(word)) == [], f"better: {INSTEAD[word]}"
