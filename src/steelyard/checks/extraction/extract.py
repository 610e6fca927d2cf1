"""Take the code out of a model's answer by one stated rule.

The rule, first match wins: a unified diff that fits the case's files; files by name; blocks of the language;
blocks without a language; the whole text, if it looks like code; nothing. A block of another language is no
answer. Never raises, whatever the text.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from steelyard.checks.extraction.definitions import (
    compiled,
    definitions,
    imports,
    is_file_of,
    is_unique,
    public_type,
)
from steelyard.checks.extraction.diff import is_diff, patched
from steelyard.checks.extraction.fences import FencedBlock, blocks
from steelyard.checks.extraction.imports import with_imports
from steelyard.checks.extraction.lexers import lexers_version, names_of
from steelyard.checks.extraction.names import named
from steelyard.checks.extraction.parts import as_file
from steelyard.checks.extraction.paths import fitting, stays_inside
from steelyard.languages.language import Language
from steelyard.languages.lookup import language_of_fence, language_of_file

_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
END_OF_THOUGHTS = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_CDATA = re.compile(
    r"^[ \t]*(?:<[\w:.-]{1,60}>[ \t]*){0,9}<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL | re.MULTILINE
)
_FENCED = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)
_HEADERS = (".h", ".hpp", ".hh")
_READS = re.compile(r"\b(?:input|raw_input)\(|\bstdin\b|\breadline\b")
_CODE_LINE = re.compile(
    r"\s*(?://|/\*|\*/|#|--)|.*[{};]\s*$|.*[)\]:,]\s*$|\s+\S|.*(?:=|->|=>|::)"
    r"|(?:return|import|from|use|def|fn|let|const|var|class|print|if|for|while)\b"
)
# Possessive, so that a long line which is no prose is left at once.
_PROSE_LINE = re.compile(r"[\"'(*-]{0,3}[A-Z][\w',]*+(?: [\w'`,()-]++){3,}+[^{};]*+$")
_TEST = re.compile(r"[Tt]est")
_TEST_OF_A_LIBRARY = re.compile(r"[Tt]est|Benchmark|Example|Fuzz|\w*Test(?:s|Case)?$")
_WORD = re.compile(r"\w+")
_EMPTY_LINES = re.compile(r"\A(?:[ \t\r\f]*\n)+")
_LINE = 500  # enough of a line to tell what it is


class Means(StrEnum):
    """How code was found in an answer."""

    DIFF = "diff"
    FILES = "files"
    BLOCKS = "blocks"
    WHOLE = "whole"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    r"""The code in an answer: the main text, and every file that has a name, the main one among them.

    Line ends are `\n`, there is no byte order mark, and the text can be written as UTF-8.
    """

    code: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    means: Means = Means.NOTHING

    @property
    def found(self) -> bool:
        """Whether there is any code; if not, the answer is in the wrong format."""
        return self.means is not Means.NOTHING


NOTHING = Extracted()


def extract(
    answer: str, language: str, *, files: Mapping[str, str] | None = None, is_program: bool = False
) -> Extracted:
    r"""Return the code in an answer; `files` are those of the case, which a diff may change.

    Of a program, `main` is a part; of other answers it is an example of how to use them.

    >>> extract("Sure!\n```rust\nfn f() {}\n```\nDone.", "rust").code
    'fn f() {}\n'
    >>> extract("I would rather not.", "rust").found
    False
    """
    known = _known(language)
    text = _unwrapped(_plain(answer))
    if not text.strip():
        return NOTHING
    fenced_blocks = blocks(text)
    return (
        _from_diff(text, fenced_blocks, known, files or {})
        or _from_blocks(fenced_blocks, known, is_program=is_program)
        or (_from_whole(text, known, is_program=is_program) if not fenced_blocks else NOTHING)
    )


def extraction_tools(language: str) -> dict[str, str]:
    """Return what decides which code is taken out of an answer, for the digest of a check."""
    return {"extraction": _known(language).extraction_rule, "pygments": lexers_version()}


def _known(language: str) -> Language:
    return language_of_fence(language) or Language(name=language.lower())


def _plain(text: str) -> str:
    """Return a text with one kind of line end, no byte order mark and nothing that UTF-8 cannot write."""
    text = text.encode("utf-8", "replace").decode("utf-8") if not _writable(text) else text
    text = text.replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return text.lstrip("\ufeff")


def _writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _unwrapped(text: str) -> str:
    """Return an answer without the thoughts before it and the CDATA section around it."""
    text = _THOUGHTS.sub("", text, count=1)
    ends = list(END_OF_THOUGHTS.finditer(text))
    if ends and _FENCED.search(text, ends[-1].end()):
        text = text[ends[-1].end() :]
    sections = _CDATA.findall(text)
    fence = _FENCED.search(text)
    if sections and (fence is None or text.index("<![CDATA[") < fence.start()):
        return "\n".join(section.strip("\n") for section in sections)
    return text


def _from_diff(
    text: str, found: list[FencedBlock], language: Language, files: Mapping[str, str]
) -> Extracted | None:
    """Return the case's files after the diffs in an answer, if they fit."""
    diffs = [block.text for block in found if is_diff(block.text)]
    if not found and is_diff(text):
        diffs = [text]
    changed = patched(diffs, files)
    if not changed:
        return None
    changed = fitting(changed, files)
    return Extracted(
        code=changed.get(_main_file(changed, language) or "", ""), files=changed, means=Means.DIFF
    )


def _from_blocks(found: list[FencedBlock], language: Language, *, is_program: bool) -> Extracted | None:
    """Return the code of the blocks that count."""
    candidates = [(block, *_named(block)) for block in found if block.text and not is_diff(block.text)]
    marked = [entry for entry in candidates if _is_of(language, entry[0], entry[1])]
    named_files = {name: _ended(text) for _, name, text in candidates if name and text.strip()}
    unnamed = [text for _, name, text in marked if not name]
    answers = {name: text for name, text in named_files.items() if not _holds_tests(text, language)}
    if unnamed or _main_file(answers, language):
        named_files = answers
    if not marked:
        unnamed = [text for block, name, text in candidates if not name and not _says_any(block)]
        named_files = {name: text for name, text in named_files.items() if language_of_file(name) is None}
        if not any(_looks_like_code(text, language) for text in unnamed):
            unnamed = []
    main = _main_file(named_files, language)
    chosen = [text for text in ([named_files[main]] if main else []) + unnamed if text.strip()]
    texts = _kept(chosen, language, is_program=is_program)
    apart = _in_files_of_their_own(texts, language, main)
    code = _joined([text for text in texts if text not in apart], language, is_only=len(chosen) == 1)
    if not code:
        return None
    code = as_file(code, language, is_program=is_program)
    named_files = {**{name: _ended(text) for text, name in apart.items()}, **named_files}
    if main:
        named_files[main] = code
    fit = fitting(named_files, [main] if main else [])
    return Extracted(code=code, files=fit, means=Means.FILES if main else Means.BLOCKS)


def _named(block: FencedBlock) -> tuple[str | None, str]:
    """Return a block's name and text; the heading `Node.js` is no name for a block of another language."""
    name, text = named(block)
    if name is None or language_of_file(name) is None or not _says_any(block):
        return name, text
    output = _said(block)
    return (name, text) if output and is_file_of(name, output) else (None, block.text)


def _words(block: FencedBlock) -> list[str]:
    return [word for word in re.split(r"[\s,:{}=\"']+", block.info[:_LINE].lower()) if word]


def _said(block: FencedBlock) -> Language | None:
    """Return the language of ours that a block says it is in; an unknown word says nothing."""
    languages = (
        language_of_fence(word.removeprefix(".")) or language_of_file(word) for word in _words(block)
    )
    ours = next((language for language in languages if language), None)
    other_names = map(language_of_fence, sorted(_names(block) if ours is None else ()))
    return ours or next((language for language in other_names if language), None)


def _names(block: FencedBlock) -> frozenset[str]:
    """Return the names of the language in the first word after a fence, which need not be one of ours."""
    first = next(iter(_words(block)), "").removeprefix(".")
    return names_of(first) if first else frozenset()


def _says_any(block: FencedBlock) -> bool:
    """Whether a block says that it is in a language, be it one of ours or not."""
    return _said(block) is not None or bool(_names(block))


def _is_of(language: Language, block: FencedBlock, name: str | None) -> bool:
    """Whether a block is in the language wanted, by what it says or by its name."""
    text = _said(block) or (language_of_file(name) if name else None)
    if text:
        return text is language
    return language.name in {*_words(block)[:1], *_names(block)}


def _main_file(files: Mapping[str, str], language: Language) -> str | None:
    """Return the file where an answer begins: one with a usual name, or else the first of the language.

    A header only if there is nothing else: it is named by those that include it.
    """
    usual = (name for name in language.main_files if name in files)
    own = [name for name in files if is_file_of(name, language)]
    return next(usual, None) or next(iter(sorted(own, key=lambda name: name.endswith(_HEADERS))), None)


def _in_files_of_their_own(texts: list[str], language: Language, main: str | None) -> dict[str, str]:
    """Return the blocks that cannot stand in one file with the main one, each with a name for its file."""
    types = {text: public_type(text, language) for text in texts}
    files = {f"{name}{language.suffixes[0]}": text for text, name in types.items() if name}
    first = main if main in files else _main_file(files, language)
    return {text: name for name, text in files.items() if name != first and stays_inside(name)}


def _joined(texts: list[str], language: Language, *, is_only: bool) -> str:
    """Join blocks, each import said once; an only one stays as it is."""
    if is_only:
        return _ended(texts[0])
    return _ended(with_imports([_ended(text) for text in texts], language))


def _kept(texts: list[str], language: Language, *, is_program: bool) -> list[str]:
    """Return blocks without examples, and without those that a later one replaces."""
    if len(texts) == 1:
        return texts
    texts = _without_added_tests(texts, language)
    output = [definitions(text, language) for text in texts]
    examples = frozenset[str]() if is_program else language.only_examples
    is_read = any(_READS.search(text) for text, names in zip(texts, output, strict=True) if names)
    serious = [
        at
        for at, text in enumerate(texts)
        if set(output[at]) - examples
        or (not output[at] and _imports_only(text, language))
        # The lines of a program that read its input and call what was defined before.
        or (is_program and not output[at] and not is_read and _READS.search(text))
    ]
    kept = serious if any(output[at] for at in serious) else list(range(len(texts)))
    return _not_replaced([(texts[at], output[at]) for at in kept], language)


def _without_added_tests(texts: list[str], language: Language) -> list[str]:
    """Leave out tests and examples that a model adds behind its answer, if they could not run beside it."""
    known: set[str] = set()
    kept = []
    for text in [text for text in texts if not _holds_tests(text, language)] or texts:
        names = definitions(text, language)
        if not _is_added(text, set(names), known, language):
            known.update(names)
            kept.append(text)
    return kept


def _is_added(text: str, names: set[str], known: set[str], language: Language) -> bool:
    """Whether a block only tests or uses what is `known`: it imports that from a module that is not here."""
    result = compiled(language.imported).finditer(text) if language.imported else ()
    asked_for = known & {name for item in result for name in _WORD.findall(item[item.lastindex or 0])}
    return bool(asked_for - names if language.declared_once else asked_for and _are_tests(names, _TEST))


def _holds_tests(text: str, language: Language) -> bool:
    """Whether code is nothing but tests by a library of tests, which an answer does not need."""
    has_import = language.tests is not None and compiled(language.tests).search(text) is not None
    return has_import and _are_tests(definitions(text, language), _TEST_OF_A_LIBRARY)


def _are_tests(names: Collection[str], like: re.Pattern[str]) -> bool:
    return bool(names) and all(map(like.match, names))


def _imports_only(text: str, language: Language) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(imports(line, language) for line in lines)


def _not_replaced(said: list[tuple[str, list[str]]], language: Language) -> list[str]:
    """Return the blocks, each with what it defines, of which later ones do not define everything again.

    What may be defined more than once counts only in a block that defines nothing else.
    """
    later: set[str] = set()
    kept = []
    for text, names in reversed(said):
        unique = [name for name in names if is_unique(name, language)]
        if not names or not later.issuperset(unique or names):
            kept.append(text)
            later.update(names)
    return kept[::-1]


def _from_whole(text: str, language: Language, *, is_program: bool) -> Extracted:
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == "`" and bare.count("`") == 2:  # noqa: PLR2004 - a pair of marks
        text = bare[1:-1]
    if not _looks_like_code(text, language):
        return NOTHING
    return Extracted(code=as_file(_ended(text), language, is_program=is_program), means=Means.WHOLE)


def _looks_like_code(text: str, language: Language) -> bool:
    """Whether a text defines something, or has more lines of code than of prose."""
    if definitions(text, language):
        return True
    lines = [line[:_LINE] for line in text.split("\n") if line.strip()]
    others = [line for line in lines if not _PROSE_LINE.match(line)]
    code = sum(1 for line in others if _CODE_LINE.match(line))
    return code > len(lines) - len(others)


def _ended(text: str) -> str:
    """Return a text without empty lines around it and with one line end."""
    text = _EMPTY_LINES.sub("", text.removeprefix("\ufeff")).rstrip()
    return f"{text}\n" if text else ""
