"""Extract the code of a model's answer.

The first match wins: a unified diff that applies to the case's files; named files; blocks in the language;
blocks without a language; the whole text, if it looks like code. Blocks in other languages are ignored. Never
raises.
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
# Possessive quantifiers avoid backtracking on long lines of code.
_PROSE_LINE = re.compile(r"[\"'(*-]{0,3}[A-Z][\w',]*+(?: [\w'`,()-]++){3,}+[^{};]*+$")
_TEST = re.compile(r"[Tt]est")
_TEST_OF_A_LIBRARY = re.compile(r"[Tt]est|Benchmark|Example|Fuzz|\w*Test(?:s|Case)?$")
_WORD = re.compile(r"\w+")
_EMPTY_LINES = re.compile(r"\A(?:[ \t\r\f]*\n)+")
_LINE = 500  # characters of a line that are examined


class Means(StrEnum):
    """The source of extracted code."""

    DIFF = "diff"
    FILES = "files"
    BLOCKS = "blocks"
    WHOLE = "whole"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    r"""The code of an answer: the main text and all named files.

    Line ends are `\n`, without a byte order mark, and encodable as UTF-8.
    """

    code: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    means: Means = Means.NOTHING

    @property
    def is_code(self) -> bool:
        """Whether there is any code; without, the answer has the wrong format."""
        return self.means is not Means.NOTHING


NOTHING = Extracted()


def extract(
    answer: str, language: str, *, files: Mapping[str, str] | None = None, is_program: bool = False
) -> Extracted:
    r"""Extract the code of an answer; `files` of the case may be changed by a diff.

    In programs `main` is code; in other answers it is a usage example.

    >>> extract("Sure!\n```rust\nfn f() {}\n```\nDone.", "rust").code
    'fn f() {}\n'
    >>> extract("I would rather not.", "rust").is_code
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
    """Return the versions of the extraction rules, for the digest of a check."""
    return {"extraction": _known(language).extraction_rule, "pygments": lexers_version()}


def _known(language: str) -> Language:
    return language_of_fence(language) or Language(name=language.lower())


def _plain(text: str) -> str:
    """Normalise line ends, remove the byte order mark and replace surrogates."""
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
    """Remove leading thoughts and an enclosing CDATA section."""
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
    text: str, fenced_blocks: list[FencedBlock], language: Language, files: Mapping[str, str]
) -> Extracted | None:
    """Apply the diffs of an answer to the files of the case, if possible."""
    diffs = [block.text for block in fenced_blocks if is_diff(block.text)]
    if not fenced_blocks and is_diff(text):
        diffs = [text]
    changed = patched(diffs, files)
    if not changed:
        return None
    changed = fitting(changed, files)
    return Extracted(
        code=changed.get(_main_file(changed, language) or "", ""), files=changed, means=Means.DIFF
    )


def _from_blocks(
    fenced_blocks: list[FencedBlock], language: Language, *, is_program: bool
) -> Extracted | None:
    """Extract code from the blocks in the language."""
    candidates = [
        (block, *_named(block)) for block in fenced_blocks if block.text and not is_diff(block.text)
    ]
    marked = [entry for entry in candidates if _is_of(language, entry[0], entry[1])]
    named_files = {name: _ended(text) for _, name, text in candidates if name and text.strip()}
    unnamed = [text for _, name, text in marked if not name]
    answers = {name: text for name, text in named_files.items() if not _holds_tests(text, language)}
    if unnamed or _main_file(answers, language):
        named_files = answers
    if not marked:
        unnamed = [text for block, name, text in candidates if not name and not _states_language(block)]
        named_files = {name: text for name, text in named_files.items() if language_of_file(name) is None}
        if not any(_looks_like_code(text, language) for text in unnamed):
            unnamed = []
    main = _main_file(named_files, language)
    chosen = [text for text in ([named_files[main]] if main else []) + unnamed if text.strip()]
    texts = _kept(chosen, language, is_program=is_program)
    separate = _separate_files(texts, language, main)
    code = _joined([text for text in texts if text not in separate], language, is_only=len(chosen) == 1)
    if not code:
        return None
    code = as_file(code, language, is_program=is_program)
    named_files = {**{name: _ended(text) for text, name in separate.items()}, **named_files}
    if main:
        named_files[main] = code
    fit = fitting(named_files, [main] if main else [])
    return Extracted(code=code, files=fit, means=Means.FILES if main else Means.BLOCKS)


def _named(block: FencedBlock) -> tuple[str | None, str]:
    """Return a block's file name and text; `Node.js` above a block in another language is no name."""
    name, text = named(block)
    if name is None or language_of_file(name) is None or not _states_language(block):
        return name, text
    stated = _stated_language(block)
    return (name, text) if stated and is_file_of(name, stated) else (None, block.text)


def _words(block: FencedBlock) -> list[str]:
    return [word for word in re.split(r"[\s,:{}=\"']+", block.info[:_LINE].lower()) if word]


def _stated_language(block: FencedBlock) -> Language | None:
    """Return the known language that a block states."""
    words = _words(block)
    candidates = (language_of_fence(word.removeprefix(".")) or language_of_file(word) for word in words)
    language = next(filter(None, candidates), None)
    return language or next(filter(None, map(language_of_fence, sorted(_names(block)))), None)


def _names(block: FencedBlock) -> frozenset[str]:
    """Return all names of the language after a fence, including unsupported languages."""
    first = next(iter(_words(block)), "").removeprefix(".")
    return names_of(first) if first else frozenset()


def _states_language(block: FencedBlock) -> bool:
    """Whether a block states any language."""
    return _stated_language(block) is not None or bool(_names(block))


def _is_of(language: Language, block: FencedBlock, name: str | None) -> bool:
    """Whether a block is in a language, by its fence or file name."""
    stated = _stated_language(block) or (language_of_file(name) if name else None)
    if stated:
        return stated is language
    return language.name in {*_words(block)[:1], *_names(block)}


def _main_file(files: Mapping[str, str], language: Language) -> str | None:
    """Return the main file: one with a usual name, or else the first file in the language.

    Headers come last: other files include them.
    """
    usual = (name for name in language.main_files if name in files)
    own = [name for name in files if is_file_of(name, language)]
    return next(usual, None) or next(iter(sorted(own, key=lambda name: name.endswith(_HEADERS))), None)


def _separate_files(texts: list[str], language: Language, main: str | None) -> dict[str, str]:
    """Map blocks that need their own file, by a public type, to its name."""
    types = {text: public_type(text, language) for text in texts}
    files = {f"{name}{language.suffixes[0]}": text for text, name in types.items() if name}
    first = main if main in files else _main_file(files, language)
    return {text: name for name, text in files.items() if name != first and stays_inside(name)}


def _joined(texts: list[str], language: Language, *, is_only: bool) -> str:
    """Join blocks without repeated imports; a single block is unchanged."""
    if is_only:
        return _ended(texts[0])
    return _ended(with_imports([_ended(text) for text in texts], language))


def _kept(texts: list[str], language: Language, *, is_program: bool) -> list[str]:
    """Drop examples and blocks that later ones replace."""
    if len(texts) == 1:
        return texts
    texts = _without_added_tests(texts, language)
    defined = [definitions(text, language) for text in texts]
    examples = frozenset[str]() if is_program else language.only_examples
    is_read = any(_READS.search(text) for text, names in zip(texts, defined, strict=True) if names)
    serious = [
        index
        for index, text in enumerate(texts)
        if set(defined[index]) - examples
        or (not defined[index] and _imports_only(text, language))
        # The part of a program that reads input and calls earlier definitions.
        or (is_program and not defined[index] and not is_read and _READS.search(text))
    ]
    kept = serious if any(defined[index] for index in serious) else list(range(len(texts)))
    return _not_replaced([(texts[index], defined[index]) for index in kept], language)


def _without_added_tests(texts: list[str], language: Language) -> list[str]:
    """Drop tests and examples after the answer that could not run with it."""
    known: set[str] = set()
    kept = []
    for text in [text for text in texts if not _holds_tests(text, language)] or texts:
        names = definitions(text, language)
        if not _is_added(text, set(names), known, language):
            known.update(names)
            kept.append(text)
    return kept


def _is_added(text: str, names: set[str], known: set[str], language: Language) -> bool:
    """Whether a block only tests or uses known names: it imports them from a module."""
    matches = compiled(language.imported).finditer(text) if language.imported else ()
    imported = known & {name for match in matches for name in _WORD.findall(match[match.lastindex or 0])}
    return bool(imported - names if language.declared_once else imported and _are_tests(names, _TEST))


def _holds_tests(text: str, language: Language) -> bool:
    """Whether code contains only tests that use a test library."""
    has_import = language.tests is not None and compiled(language.tests).search(text) is not None
    return has_import and _are_tests(definitions(text, language), _TEST_OF_A_LIBRARY)


def _are_tests(names: Collection[str], like: re.Pattern[str]) -> bool:
    return bool(names) and all(map(like.match, names))


def _imports_only(text: str, language: Language) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(imports(line, language) for line in lines)


def _not_replaced(blocks_and_names: list[tuple[str, list[str]]], language: Language) -> list[str]:
    """Drop blocks whose definitions are all repeated by later ones.

    Definitions that may occur several times count only in blocks without others.
    """
    later: set[str] = set()
    kept = []
    for text, names in reversed(blocks_and_names):
        unique = [name for name in names if is_unique(name, language)]
        if not names or not later.issuperset(unique or names):
            kept.append(text)
            later.update(names)
    return kept[::-1]


def _from_whole(text: str, language: Language, *, is_program: bool) -> Extracted:
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == "`" and bare.count("`") == 2:  # noqa: PLR2004 - a pair of backticks
        text = bare[1:-1]
    if not _looks_like_code(text, language):
        return NOTHING
    return Extracted(code=as_file(_ended(text), language, is_program=is_program), means=Means.WHOLE)


def _looks_like_code(text: str, language: Language) -> bool:
    """Whether a text has definitions, or more lines of code than of prose."""
    if definitions(text, language):
        return True
    lines = [line[:_LINE] for line in text.split("\n") if line.strip()]
    others = [line for line in lines if not _PROSE_LINE.match(line)]
    code = sum(1 for line in others if _CODE_LINE.match(line))
    return code > len(lines) - len(others)


def _ended(text: str) -> str:
    """Strip empty lines and end the text with one line end."""
    text = _EMPTY_LINES.sub("", text.removeprefix("\ufeff")).rstrip()
    return f"{text}\n" if text else ""
