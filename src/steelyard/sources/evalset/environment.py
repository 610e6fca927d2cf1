"""Turn the environment of an eval-set file into records for its cases, and find what is wrong with it."""

from collections.abc import Iterator, Sequence

from steelyard.languages.interpreted import PYTHON
from steelyard.languages.language import Packages
from steelyard.languages.lookup import LANGUAGES
from steelyard.model.case import Case
from steelyard.model.environment import Environment, npm_pin, python_problem, unpinned
from steelyard.sources.evalset.shape import EnvironmentTable
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote

NODE = frozenset(language.name for language in LANGUAGES if language.packages is Packages.NPM)


def environment_of(table: EnvironmentTable, case: Case) -> Environment | None:
    """Return the environment of a case; None without an entry for its language."""
    if is_python(case) and _has_python(table):
        return Environment(python=table.python, requirements=table.requirements)
    return Environment(npm=table.npm) if is_node(case) and table.npm else None


def is_python(case: Case) -> bool:
    """Whether answers to a case are in Python.

    >>> is_python(Case(id="a", language="py")), is_python(Case(id="b", language="rust"))
    (True, False)
    """
    return case.language == PYTHON.name


def is_node(case: Case) -> bool:
    """Whether answers to a case run on Node.

    >>> is_node(Case(id="a", language="typescript")), is_node(Case(id="b", language="python"))
    (True, False)
    """
    return case.expectations.settings.get("recipe", case.language) in NODE


def unused_parts(table: EnvironmentTable, cases: Sequence[Case]) -> Iterator[tuple[KeyPath, str]]:
    """Find what no case of a set can use."""
    if _has_python(table) and not any(map(is_python, cases)):
        yield ("environment",), "no case of this set is in Python"
    if table.npm and not any(map(is_node, cases)):
        yield ("environment", "npm"), "no case of this set is in JavaScript or TypeScript"


def environment_problems(table: EnvironmentTable) -> Iterator[tuple[KeyPath, str]]:
    """Find what is wrong with an environment."""
    if table.python and (problem := python_problem(table.python)):
        yield ("environment", PYTHON.name), problem
    yield from _unpinned(table.requirements, ("environment", "requirements"))
    for index, package in enumerate(table.npm):
        if npm_pin(package) is None:
            problem = f"{quote(package)} pins no package to one version; write it as `name@1.2.3`"
            yield ("environment", "npm", index), problem
    if not _has_python(table) and not table.npm:
        yield ("environment",), "it names neither a Python nor a package; add 'requirements', or leave it out"


def _has_python(table: EnvironmentTable) -> bool:
    return bool(table.python or table.requirements.strip())


def _unpinned(text: str, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for number, line in unpinned(text):
        problem = f"line {number}, {quote(line)}, pins no package to one version"
        yield at, f"{problem}; write it as `name==1.2.3`, without options and addresses"
