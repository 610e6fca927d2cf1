"""Hold recipes, which say how answers of one language are built, tested and judged; read them from TOML."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path

from steelyard.errors import InputError, UnknownName

SHIPPED = Path(__file__).parent


class Results(StrEnum):
    """How the results of tests come back; an answer can forge all but `channel` by printing or writing."""

    CHANNEL = "channel"  # lines of a harness that knows a secret word for each test
    TAP = "tap"  # the Test Anything Protocol, on the standard output
    JUNIT = "junit"  # JUnit's XML, in the file `results_file`
    EXIT_CODE = "exit-code"  # nothing but the exit code


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """How to build and run an answer that is a whole program, for tests by input and output."""

    build: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    run: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How answers of one language are checked.

    Each step runs in a sandbox of its own, which holds `files`, the case's files, the answer, and what the
    steps before left in `artifacts` and `program`. The tests are there from `test_build` on.
    """

    name: str
    language: str
    answer: str  # where the answer goes
    run: tuple[str, ...]
    needs: tuple[str, ...] = ()  # programs that must be installed
    answer_name: str | None = None  # a pattern for names; the least indented one is the file's
    suffixes: tuple[str, ...] = ()  # of other files that an answer may bring
    left_out: str | None = None  # a pattern for names of files that an answer may not bring
    forbidden: str | None = None  # a pattern that no file of an answer may hold
    harness: tuple[str, ...] = ()  # those of `files` that are not there when the answer alone is built
    tests: str = ""  # where the graded tests go
    test_names: str | None = None  # a pattern for the names of the graded tests
    names_file: str | None = None  # where the names go for the harness: `names_head`, lines, `names_tail`
    name_line: str = "{name}"
    names_head: str = ""
    names_tail: str = ""
    package: str | None = None  # a pattern for what `{package}` stands for
    results: Results = Results.CHANNEL
    results_file: str = "results.xml"
    header: str = ""  # which of `files` the command `precompile` compiles once for all answers
    precompile: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    test_build: tuple[str, ...] = ()
    program: str | None = None
    binds: tuple[str, ...] = ()  # patterns of folders to show that sandboxes do not show by themselves
    env: Mapping[str, str] = field(default_factory=dict)
    memory_mib: int = 1024
    files: Mapping[str, str] = field(default_factory=dict)
    io: Programs = field(default_factory=Programs)

    def names(self, tests: str) -> list[str]:
        """Return the names of the graded tests, in order."""
        return re.findall(self.test_names, tests, re.MULTILINE) if self.test_names else []


def read_recipe(path: Path) -> Recipe:
    """Read a recipe, or say what is wrong with it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as TOML ({error})") from None
    return recipe_of(table, path)


def recipe_of(table: Mapping[str, object], path: Path) -> Recipe:
    """Return the recipe in a table of a file, or say what is wrong with it."""
    known = {each.name for each in fields(Recipe)}
    for key in table:
        if key not in known:
            raise InputError(f"{path}: unknown key {key!r}; a recipe has {', '.join(sorted(known))}")
    try:
        return Recipe(**{key: _value(key, value) for key, value in table.items()})  # type: ignore[arg-type]  # checked below
    except (TypeError, ValueError, re.error) as error:
        raise InputError(f"{path}: is no recipe: {error}") from None


def recipes(*folders: Path) -> dict[str, Recipe]:
    """Return the shipped recipes and those of further folders, by name; the last of a name counts."""
    result = [read_recipe(path) for folder in (SHIPPED, *folders) for path in sorted(folder.glob("*.toml"))]
    return {recipe.name: recipe for recipe in result}


def recipe_named(name: str, known: Mapping[str, Recipe]) -> Recipe:
    """Return a recipe by name, or tell which there are."""
    if name not in known:
        raise UnknownName(f"there is no recipe {name!r}; there are {', '.join(sorted(known))}")
    return known[name]


def _value(key: str, value: object) -> object:
    """Return a value of TOML as the record holds it."""
    if key == "io" and isinstance(value, dict):
        return Programs(**{name: tuple(words) for name, words in value.items()})
    if key in {"test_names", "forbidden", "package", "answer_name", "left_out"}:
        re.compile(str(value))
    if key == "results":
        return Results(str(value))
    return tuple(value) if isinstance(value, list) else value
