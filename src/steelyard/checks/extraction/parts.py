"""Complete code without its required package or class, such as a bare Go function; keep line numbers."""

import re

from steelyard.checks.extraction.definitions import imports
from steelyard.languages.language import Language

_GO_PACKAGE = re.compile(r"^(?:[^\n]*\*/)?[ \t\r]*package\b", re.MULTILINE)
_JAVA_TYPE = re.compile(r"\b(?:class|interface|enum|record)\s+[\w$]")
_COMMENT = re.compile(r"[ \t]*(?://|/?\*)(?![^\n]*\*/)")


def as_file(code: str, language: Language, *, is_program: bool) -> str:
    r"""Return code as a file, in a package of Go or a class of Java if it has none.

    >>> from steelyard.languages.lookup import language_named
    >>> as_file("func f() {}\n", language_named("go"), is_program=False)
    'package answer; func f() {}\n'
    >>> as_file("import java.util.*;\nint f() { return 1; }\n", language_named("java"), is_program=False)
    'import java.util.*;\nclass Main { int f() { return 1; }\n}\n'
    """
    if language.name == "go" and not _GO_PACKAGE.search(code):
        return f"package {'main' if is_program else 'answer'}; {code}"
    if language.name == "java" and not _JAVA_TYPE.search(_without_comments(code)):
        return _in_a_class(code, language)
    return code


def _without_comments(code: str) -> str:
    """Drop comments, which may mention a class."""
    return "\n".join(line for line in code.split("\n") if not _COMMENT.match(line))


def _in_a_class(code: str, language: Language) -> str:
    lines = code.rstrip("\n").split("\n")
    begin = max((at for at, line in enumerate(lines, start=1) if imports(line, language)), default=0)
    return "\n".join([*lines[:begin], "class Main { " + "\n".join(lines[begin:]), "}", ""])
