"""Recipes: how answers in a language are built, tested and run. Read from TOML."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path

from steelyard.errors import InputError, UnknownName

SHIPPED = Path(__file__).parent


class Results(StrEnum):
    """Where results of tests are read from; answers can forge all but `channel`."""

    CHANNEL = "channel"  # lines of a harness with a secret per test
    TAP = "tap"  # Test Anything Protocol on standard output
    JUNIT = "junit"  # JUnit XML in `results_file`
    EXIT_CODE = "exit-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """How to build and run a program, for tests by input and output."""

    build: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    run: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How answers in one language are checked.

    Each step runs in its own sandbox with `files`, the case's files, the answer, and the `artifacts` and
    `program` of earlier steps. Tests are present from `test_build` on.
    """

    name: str
    language: str
    answer: str  # path of the answer
    run: tuple[str, ...]
    needs: tuple[str, ...] = ()  # required programs
    answer_name: str | None = None  # a pattern of type names; the least indented one names the file
    suffixes: tuple[str, ...] = ()  # of further files in an answer
    left_out: str | None = None  # a pattern of files to drop from answers
    forbidden: str | None = None  # a pattern that no file of an answer may match
    harness: tuple[str, ...] = ()  # `files` that are absent when the answer is built
    tests: str = ""  # path of the graded tests
    test_names: str | None = None  # a pattern of the names of tests
    names_file: str | None = (
        None  # a generated file for the harness: `names_head`, a line per test, `names_tail`
    )
    name_line: str = "{name}"
    names_head: str = ""
    names_tail: str = ""
    package: str | None = None  # a pattern of the value of `{package}`
    results: Results = Results.CHANNEL
    results_file: str = "results.xml"
    header: str = ""  # of `files`; compiled once by `precompile`
    precompile: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    test_build: tuple[str, ...] = ()
    program: str | None = None
    binds: tuple[str, ...] = ()  # patterns of additional folders visible in the sandbox
    env: Mapping[str, str] = field(default_factory=dict)
    memory_mib: int = 1024
    files: Mapping[str, str] = field(default_factory=dict)
    io: Programs = field(default_factory=Programs)

    def names(self, tests: str) -> list[str]:
        """Return the names of the graded tests, in order."""
        return re.findall(self.test_names, tests, re.MULTILINE) if self.test_names else []


def read_recipe(path: Path) -> Recipe:
    """Read a recipe; raises InputError if it is invalid."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read TOML: {error}") from None
    return recipe_of(table, path)


def recipe_of(table: Mapping[str, object], path: Path) -> Recipe:
    """Return the recipe of a TOML table; raises InputError if it is invalid."""
    known = {entry.name for entry in fields(Recipe)}
    for key in table:
        if key not in known:
            raise InputError(f"{path}: unknown key {key!r}; a recipe has {', '.join(sorted(known))}")
    try:
        return Recipe(**{key: _convert(key, value) for key, value in table.items()})  # type: ignore[arg-type]  # checked below
    except (TypeError, ValueError, re.error) as error:
        raise InputError(f"{path}: invalid recipe: {error}") from None


def recipes(*folders: Path) -> dict[str, Recipe]:
    """Return the recipes of the package and of folders by name; later ones take precedence."""
    paths = [path for folder in (SHIPPED, *folders) for path in sorted(folder.glob("*.toml"))]
    return {recipe.name: recipe for recipe in map(read_recipe, paths)}


def recipe_named(name: str, known: Mapping[str, Recipe]) -> Recipe:
    """Return a recipe by name; the error lists the known ones."""
    if name not in known:
        raise UnknownName(f"unknown recipe {name!r}; choose from {', '.join(sorted(known))}")
    return known[name]


def _convert(key: str, value: object) -> object:
    """Convert a TOML value to the type of its field."""
    if key == "io" and isinstance(value, dict):
        return Programs(**{name: tuple(words) for name, words in value.items()})
    if key in {"test_names", "forbidden", "package", "answer_name", "left_out"}:
        re.compile(str(value))
    if key == "results":
        return Results(str(value))
    return tuple(value) if isinstance(value, list) else value
