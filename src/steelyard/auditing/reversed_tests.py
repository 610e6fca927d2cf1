"""Reverse the order of a case's tests, which breaks every test that needs an earlier one."""

import ast
from dataclasses import replace

from steelyard.checks.toolchains.python.job import read_tests
from steelyard.checks.toolchains.python.tests_source import Runner
from steelyard.languages.interpreted import PYTHON
from steelyard.model.case import Case

Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


def with_reversed_tests(case: Case) -> Case | None:
    """Return the case with its tests in reverse order; None if it has no order to reverse."""
    expectations = case.expectations
    if len(expectations.calls) > 1:
        return replace(case, expectations=replace(expectations, calls=expectations.calls[::-1]))
    if case.language != PYTHON.name or not expectations.tests.strip():
        return None
    if read_tests(case).runner is not Runner.PYTEST:
        return None
    tests = reversed_tests(expectations.tests)
    return None if tests is None else replace(case, expectations=replace(expectations, tests=tests))


def reversed_tests(source: str) -> str | None:
    r"""Return tests with their functions in reverse order; None if there are fewer than two.

    >>> print(reversed_tests("def test_a():\n    pass\n\nX = 1\n\ndef test_b():\n    pass"))
    def test_b():
        pass
    X = 1
    <BLANKLINE>
    def test_a():
        pass
    """
    tree = ast.parse(source)
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    changed = [_reverse(body) for body in bodies]
    return ast.unparse(tree) if any(changed) else None


def _reverse(body: list[ast.stmt]) -> bool:
    """Reverse the tests among some statements; return whether there were several."""
    places = [
        index
        for index, node in enumerate(body)
        if isinstance(node, Functions) and node.name.startswith("test")
    ]
    for index, node in zip(places, [body[index] for index in reversed(places)], strict=True):
        body[index] = node
    return len(places) > 1
