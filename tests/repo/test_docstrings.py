"""Every formula shows a worked value."""

import ast

from tests.repo.package import python_files


def test_every_public_formula_shows_a_worked_value() -> None:
    silent = [
        f"{file.name}:{node.lineno} {node.name}"
        for file in python_files("src/steelyard/metrics")
        for node in file.public_functions()
        if ">>>" not in (ast.get_docstring(node) or "")
    ]

    assert not silent
