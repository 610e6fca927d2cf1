"""Join blocks of code so that each import is said once, and first where the language wants it first."""

from collections.abc import Iterator, Sequence

from steelyard.checks.extraction.languages import Language, imports

GROUP, END = "import (", ")"  # of Go: a line each in between


def with_imports(texts: Sequence[str], language: Language) -> str:
    r"""Return blocks as one text; each ends with a line end.

    >>> from steelyard.checks.extraction.languages import language_named
    >>> with_imports(["use std::fmt;\nfn f() {}\n", "use std::fmt;\nfn g() {}\n"], language_named("rust"))
    'use std::fmt;\nfn f() {}\n\nfn g() {}\n'
    """
    if language.imports_first and any(imports(line, language) for text in texts[1:] for line in _lines(text)):
        return _imports_first(texts, language)
    return _without_repeated("\n".join(texts), language)


def _imports_first(texts: Sequence[str], language: Language) -> str:
    r"""Return blocks behind the package and the imports of all of them.

    >>> from steelyard.checks.extraction.languages import language_named
    >>> one, two = 'package a\nimport "fmt"\nvar x = 1\n', 'package a\nimport (\n"fmt"\n"os"\n)\nvar y = 2\n'
    >>> _imports_first([one, two], language_named("go"))
    'package a\nimport "fmt"\nimport "os"\n\nvar x = 1\n\nvar y = 2\n'
    """
    taken: list[str] = []
    bodies: list[str] = []
    for text in texts:
        body: list[str] = []
        for line, is_import in _told_apart(text, language):
            (taken if is_import else body).append(line)
        bodies.append("\n".join(body).strip("\n") + "\n")
    packages = [line for line in taken if line.startswith("package")]
    others = dict.fromkeys(line for line in taken if not line.startswith("package"))
    return "\n".join(["\n".join([*packages[:1], *others, ""]), *bodies])


def _told_apart(text: str, language: Language) -> Iterator[tuple[str, bool]]:
    """Give each line, and whether it imports something; a group of imports as one line for each."""
    within = False
    for line in _lines(text):
        bare = line.strip()
        if within:
            within = bare != END
            if within and bare and not bare.startswith("//"):
                yield f"import {bare}", True
        elif line.rstrip() == GROUP:
            within = True
        else:
            is_import = imports(line, language)
            yield bare if is_import else line, is_import


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


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")
