"""The record of a language. Patterns are texts: they are compiled where they are used."""

from dataclasses import dataclass
from enum import StrEnum

BUILD_TEST_LINT = "build-test-lint"


class Packages(StrEnum):
    """The kind of packages that answers may import."""

    PYPI = "pypi"
    NPM = "npm"
    CRATES = "crates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A program required by some checks: version command and installation."""

    program: str
    version_arguments: tuple[str, ...] = ("--version",)
    use: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """Code that defines names and does nothing; each text contains `{name}`."""

    functions: str  # a pattern for the functions of a reference; its group is the name
    function: str
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language: names, files, syntax, checker and tools."""

    name: str
    aliases: tuple[str, ...] = ()  # other usual names, in eval sets and after fences
    fences: tuple[str, ...] = ()  # words that only mark blocks
    suffixes: tuple[str, ...] = ()
    main_files: tuple[str, ...] = ()  # usual entry points of an answer with several files

    # Syntax: a few typical lines, never a parser.
    defines: str | None = None  # a line with a definition, its `name`
    imports: str | None = None  # a line with an import
    imports_first: bool = False  # whether imports must precede other code
    only_examples: frozenset[str] = frozenset()  # names that only examples define
    repeated: frozenset[str] = frozenset()  # the first words of definitions that may occur several times
    imported: str | None = None  # an import of names from a module; the last group contains them
    declared_once: bool = False  # whether an imported name cannot be defined in the same file
    tests: str | None = None  # an import that only tests contain
    public: str | None = None  # a line with a type, its `name`, that requires a file of that name
    extraction_rule: str = "5"  # raise it with any change to extraction: `regrade` then checks again

    # Checks. Without a checker of its own, a language is checked by the recipe of its name.
    checker: str | None = None
    validator: str | None = None
    settings: frozenset[str] = frozenset()  # `settings` of its checker
    scoring_rule: str = BUILD_TEST_LINT
    has_linter: bool = False
    build_is_check: bool = False  # whether a successful build is a meaningful result
    packages: Packages | None = None
    probe: str = ""  # a minimal source
    stub: Stub | None = None
    lexer: str | None = None  # of Pygments, if not called like the language
    tools: tuple[Tool, ...] = ()
