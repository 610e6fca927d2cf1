"""Join blocks of code without repeated imports, and with imports first where required."""

import re
from collections.abc import Iterator, Sequence

from steelyard.checks.extraction.definitions import imports
from steelyard.languages.language import Language

_GROUP = re.compile(r"import[ \t]*\([ \t]*(?://.*)?")  # Go: a line per import
_GROUP_END = re.compile(r"\)[ \t;]*(?://.*)?")
_COMMENT = re.compile(r"[ \t]*(?://|/\*|\*)")
_BEHIND = re.compile(r"[ \t]*(?://.*|/\*.*\*/[ \t]*)?$")


def with_imports(texts: Sequence[str], language: Language) -> str:
    r"""Join blocks, each of which ends with a line end.

    >>> from steelyard.languages.lookup import language_named
    >>> with_imports(["use std::fmt;\nfn f() {}\n", "use std::fmt;\nfn g() {}\n"], language_named("rust"))
    'use std::fmt;\nfn f() {}\n\nfn g() {}\n'
    """
    if not language.imports_first:
        return _drop_repeated("\n".join(texts), language)
    heads = [_head(text, language) for text in texts]
    return _imports_first(heads) if any(taken for taken, _ in heads[1:]) else "\n".join(texts)


def _imports_first(heads: Sequence[tuple[list[str], str]]) -> str:
    r"""Join the bodies of blocks after the first package clause and all imports.

    >>> _imports_first([(["package a", 'import "fmt"'], "var x = 1\n"), (['import "fmt"'], "var y = 2\n")])
    'package a\nimport "fmt"\n\nvar x = 1\n\nvar y = 2\n'
    """
    taken = [line for lines, _ in heads for line in lines]
    packages = [line for line in taken if line.startswith("package")]
    others = dict.fromkeys(line for line in taken if not line.startswith("package"))
    return "\n".join(["\n".join([*packages[:1], *others, ""]), *(body for _, body in heads)])


def _head(text: str, language: Language) -> tuple[list[str], str]:
    r"""Return the normalised imports at the start of a block, and the rest.

    Later lines may be parts of strings.

    >>> from steelyard.languages.lookup import language_named
    >>> _head('package a\nimport (\n "fmt" // prints\n)\nvar x = 1\n', language_named("go"))
    (['package a', 'import "fmt"'], 'var x = 1\n')
    """
    lines = text.rstrip("\n").split("\n")
    taken: list[str] = []
    comments: list[str] = []
    last_end = max((index for index, line in enumerate(lines) if _ends_group(line)), default=0)
    index = 0
    while index < len(lines):
        # Avoids quadratic time for many unclosed groups.
        if index < last_end and _GROUP.fullmatch(lines[index].rstrip()):
            end = next(end for end in range(index + 1, len(lines)) if _ends_group(lines[end]))
            taken += [f"import {_without_comment(line)}" for line in _within(lines[index + 1 : end])]
            index = end
        elif imports(lines[index], language):
            taken.append(_without_comment(lines[index]))
        elif not lines[index].strip() or _COMMENT.match(lines[index]):
            comments.append(lines[index])
        else:
            break
        index += 1
    body = "\n".join([*comments, *lines[index:]]).strip("\n")
    return taken, f"{body}\n" if body else ""


def _ends_group(line: str) -> bool:
    return _GROUP_END.fullmatch(line.strip()) is not None


def _within(lines: Sequence[str]) -> Iterator[str]:
    return (line for line in lines if line.strip() and not _COMMENT.match(line))


def _without_comment(line: str) -> str:
    """Return an import without a trailing comment.

    >>> _without_comment(' "fmt" // prints'), _without_comment("import java.util.List;")
    ('"fmt"', 'import java.util.List;')
    """
    quote = line.rfind('"')
    return (line[: quote + 1] + _BEHIND.sub("", line[quote + 1 :])).strip()


def _drop_repeated(code: str, language: Language) -> str:
    seen: set[str] = set()
    kept = []
    for line in code.split("\n"):
        if imports(line, language) and line.rstrip().endswith(";"):
            if line.strip() in seen:
                continue
            seen.add(line.strip())
        kept.append(line)
    return "\n".join(kept)
