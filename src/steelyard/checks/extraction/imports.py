"""Join blocks of code so that each import is said once, and first where the language wants it first."""

import re
from collections.abc import Iterator, Sequence

from steelyard.checks.extraction.definitions import imports
from steelyard.languages.language import Language

_GROUP = re.compile(r"import[ \t]*\([ \t]*(?://.*)?")  # of Go: a line for each import, up to the end
_GROUP_END = re.compile(r"\)[ \t;]*(?://.*)?")
_COMMENT = re.compile(r"[ \t]*(?://|/\*|\*)")
_BEHIND = re.compile(r"[ \t]*(?://.*|/\*.*\*/[ \t]*)?$")


def with_imports(texts: Sequence[str], language: Language) -> str:
    r"""Return blocks as one text; each ends with a line end.

    >>> from steelyard.languages.lookup import language_named
    >>> with_imports(["use std::fmt;\nfn f() {}\n", "use std::fmt;\nfn g() {}\n"], language_named("rust"))
    'use std::fmt;\nfn f() {}\n\nfn g() {}\n'
    """
    if not language.imports_first:
        return _without_repeated("\n".join(texts), language)
    heads = [_head(text, language) for text in texts]
    return _imports_first(heads) if any(taken for taken, _ in heads[1:]) else "\n".join(texts)


def _imports_first(heads: Sequence[tuple[list[str], str]]) -> str:
    r"""Return the bodies of blocks behind the package and the imports of all of them.

    >>> _imports_first([(["package a", 'import "fmt"'], "var x = 1\n"), (['import "fmt"'], "var y = 2\n")])
    'package a\nimport "fmt"\n\nvar x = 1\n\nvar y = 2\n'
    """
    taken = [line for lines, _ in heads for line in lines]
    packages = [line for line in taken if line.startswith("package")]
    others = dict.fromkeys(line for line in taken if not line.startswith("package"))
    return "\n".join(["\n".join([*packages[:1], *others, ""]), *(body for _, body in heads)])


def _head(text: str, language: Language) -> tuple[list[str], str]:
    r"""Return what a block imports at its beginning, a line each in one form, and the rest of it.

    Only there: a line within a string may look like an import.

    >>> from steelyard.languages.lookup import language_named
    >>> _head('package a\nimport (\n "fmt" // prints\n)\nvar x = 1\n', language_named("go"))
    (['package a', 'import "fmt"'], 'var x = 1\n')
    """
    lines = text.rstrip("\n").split("\n")
    taken: list[str] = []
    comments: list[str] = []
    last_end = max((at for at, line in enumerate(lines) if _ends_group(line)), default=0)
    at = 0
    while at < len(lines):
        # Behind the last end none is looked for: each of a thousand groups would look to the end.
        if at < last_end and _GROUP.fullmatch(lines[at].rstrip()):
            end = next(end for end in range(at + 1, len(lines)) if _ends_group(lines[end]))
            taken += [f"import {_bare(line)}" for line in _within(lines[at + 1 : end])]
            at = end
        elif imports(lines[at], language):
            taken.append(_bare(lines[at]))
        elif not lines[at].strip() or _COMMENT.match(lines[at]):
            comments.append(lines[at])
        else:
            break
        at += 1
    body = "\n".join([*comments, *lines[at:]]).strip("\n")
    return taken, f"{body}\n" if body else ""


def _ends_group(line: str) -> bool:
    return _GROUP_END.fullmatch(line.strip()) is not None


def _within(lines: Sequence[str]) -> Iterator[str]:
    return (line for line in lines if line.strip() and not _COMMENT.match(line))


def _bare(line: str) -> str:
    """Return an import without the comment behind it, so that it equals the same one elsewhere.

    >>> _bare(' "fmt" // prints'), _bare("import java.util.List;")
    ('"fmt"', 'import java.util.List;')
    """
    quote = line.rfind('"')
    return (line[: quote + 1] + _BEHIND.sub("", line[quote + 1 :])).strip()


def _without_repeated(code: str, language: Language) -> str:
    seen: set[str] = set()
    kept = []
    for line in code.split("\n"):
        if imports(line, language) and line.rstrip().endswith(";"):
            if line.strip() in seen:
                continue
            seen.add(line.strip())
        kept.append(line)
    return "\n".join(kept)
