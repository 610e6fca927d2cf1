"""Find and read the files of the repository for the house tests.

Reads source text only; nothing of Steelyard is imported here.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "src" / "steelyard"
FOLDERS_OF_CODE = ("src", "tests", "perf", "examples", "scripts")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class SourceFile:
    """One Python file, parsed when somebody asks."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(REPOSITORY).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=str(self.path))

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.tree) or ""

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def public_functions(self) -> Iterator[Function]:
        """The functions at the top of the module that carry no leading underscore."""
        return (node for node in self.tree.body if isinstance(node, Function) and node.name[0] != "_")


def python_files(*folders: str) -> list[SourceFile]:
    """Return the Python files under some folders of the repository, in a stable order."""
    found = (path for folder in folders for path in (REPOSITORY / folder).rglob("*.py"))
    return [SourceFile(path) for path in sorted(found)]
