"""Find definitions and imports in code, by typical lines; only a compiler can be sure."""

import re
from functools import cache

from steelyard.languages.language import Language

_LINE_START = 400  # characters; longer lines would slow patterns down


def is_file_of(name: str, language: Language) -> bool:
    """Whether a file may be one of a language, by its suffix.

    >>> from steelyard.languages.compiled import CPP, RUST
    >>> is_file_of("shape.h", CPP), is_file_of("shape.h", RUST)
    (True, False)
    """
    return name.lower().endswith(language.suffixes)


def definitions(code: str, language: Language) -> list[str]:
    r"""Return the names that code defines at its outermost level, in order.

    >>> from steelyard.languages.compiled import RUST
    >>> definitions("fn add() {}\nstruct Sum;\nimpl Sum {\n    fn new() {}\n}", RUST)
    ['add', 'Sum', 'impl Sum']
    """
    if language.defines is None:
        return []
    pattern = compiled(language.defines)
    lines = [line[:_LINE_START] for line in code.split("\n")]
    names = []
    for index, line in enumerate(lines):
        if match := pattern.match(line):
            name = _defined_name(match)
            # Repeated definitions are named by their first lines: a second `locals` has other values.
            names.append(name if is_unique(name, language) else " ".join((name, *lines[index : index + 2])))
    return names


def public_type(code: str, language: Language) -> str | None:
    r"""Return the first type in code that requires a file of its name.

    >>> from steelyard.languages.compiled import JAVA
    >>> public_type("class A {}\npublic final class B {}", JAVA)
    'B'
    """
    if language.public is None:
        return None
    pattern = compiled(language.public)
    matches = (pattern.match(line[:_LINE_START]) for line in code.split("\n"))
    return next((match["name"] for match in matches if match), None)


def is_unique(name: str, language: Language) -> bool:
    """Whether a definition of this name replaces an earlier one.

    >>> from steelyard.languages.interpreted import TERRAFORM
    >>> is_unique('output "a"', TERRAFORM), is_unique("locals", TERRAFORM)
    (True, False)
    """
    return not language.repeated or name.split(maxsplit=1)[0] not in language.repeated


def imports(line: str, language: Language) -> bool:
    """Whether a line is an import.

    >>> from steelyard.languages.compiled import RUST
    >>> imports("use std::fmt;", RUST)
    True
    """
    return language.imports is not None and compiled(language.imports).match(line[:_LINE_START]) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of a language."""
    return re.compile(pattern, re.MULTILINE)


def _defined_name(match: re.Match[str]) -> str:
    """Return the name that a line defines; an anonymous definition is named by its text."""
    groups = match.groupdict()
    name = groups.get("name") or groups.get("function")
    if name:
        return name
    implemented = groups.get("impl")
    return f"impl {implemented.strip()}" if implemented is not None else match.group().strip()
