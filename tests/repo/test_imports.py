"""Imports can be read: nothing is imported by a name put together at run time, but in three tables."""

import ast

from tests.repo.package import python_files

TABLES = {
    "src/steelyard/plugins.py",  # plug-ins
    "src/steelyard/cli/main.py",  # commands
    "src/steelyard/__init__.py",  # public names
}
IN_THE_SANDBOX = (  # these import what they grade, or what answers will import
    "src/steelyard/checks/toolchains/python/runtime/",
    "src/steelyard/sandbox/warm/server.py",
)


def imports_by_name(tree: ast.AST) -> list[int]:
    """Return the lines that import by a name, or take the function that does."""
    names = {"import_module", "__import__"}
    used = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id in names)
        or (isinstance(node, ast.Attribute) and node.attr in names)
    ]
    taken = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and any(alias.name in names for alias in node.names)
    ]
    return used + taken


def test_only_the_three_tables_import_by_a_name() -> None:
    found = {
        file.name
        for file in python_files("src")
        if imports_by_name(file.tree) and not file.name.startswith(IN_THE_SANDBOX)
    }

    assert found == TABLES
