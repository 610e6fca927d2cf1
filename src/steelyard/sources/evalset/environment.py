"""Turn the environment of an eval-set file into a record, and find what is wrong with it."""

from collections.abc import Iterator

from steelyard.model.case import Case
from steelyard.model.environment import Environment, python_problem, unpinned
from steelyard.sources.evalset.shape import EnvironmentTable
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote

LANGUAGES = frozenset({"python", "py"})


def environment_of(table: EnvironmentTable) -> Environment:
    """Return the environment."""
    return Environment(
        python=table.python,
        requirements=table.requirements,
        test_requirements=None if table.tests is None else table.tests.requirements,
    )


def is_python(case: Case) -> bool:
    """Whether answers to a case are in Python.

    >>> is_python(Case(id="a", language="py")), is_python(Case(id="b", language="rust"))
    (True, False)
    """
    return case.language in LANGUAGES


def environment_problems(table: EnvironmentTable) -> Iterator[tuple[KeyPath, str]]:
    """Find what is wrong with an environment."""
    if table.python and (problem := python_problem(table.python)):
        yield ("environment", "python"), problem
    yield from _unpinned(table.requirements, ("environment", "requirements"))
    if table.tests is not None:
        yield from _unpinned(table.tests.requirements, ("environment", "tests", "requirements"))
    if not table.python and not table.requirements.strip() and table.tests is None:
        yield ("environment",), "it names neither a Python nor a package; add 'requirements', or leave it out"


def _unpinned(text: str, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for number, line in unpinned(text):
        problem = f"line {number}, {quote(line)}, pins no package to one version"
        yield at, f"{problem}; write it as `name==1.2.3`, without options and addresses"
