"""Sealing keeps the lines of real tests: this project's own, and those of a folder if it is named."""

import ast
import os
from pathlib import Path

import pytest

from steelyard.checks.toolchains.python.sealing import seal

FOLDER_ENV = "STEELYARD_REAL_TESTS"
OWN = Path(__file__).parents[4]
FILES = sorted(OWN.rglob("test_*.py"))[::8]
FOLDER = os.environ.get(FOLDER_ENV)
FILES += sorted(Path(FOLDER).rglob("*.py")) if FOLDER else []


def statement_lines(source: str) -> set[int]:
    return {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_sealed_tests_compile_and_keep_their_lines(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    sealed = seal(source)

    compile(sealed.source, str(path), "exec", dont_inherit=True)
    assert len(sealed.source.splitlines()) == len(source.splitlines())
    assert statement_lines(sealed.source) >= statement_lines(source)
    assert [item.number for item in sealed.assertions] == list(range(len(sealed.assertions)))
