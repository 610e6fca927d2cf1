"""Importing Steelyard, or asking its command line for help, loads no heavy library."""

import subprocess
import sys

HEAVY = {"duckdb", "numpy", "pyarrow", "pydantic", "pydantic_ai", "ray", "rich", "scipy", "typer"}
HEAVY_FOR_THE_COMMAND_LINE = {"duckdb", "pyarrow", "pydantic_ai", "ray", "scipy"}


def modules_after(statement: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter holds after one statement."""
    listing = f"{statement}; import sys; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_steelyard_loads_no_heavy_library() -> None:
    assert not modules_after("import steelyard") & HEAVY


def test_importing_the_command_line_loads_neither_database_nor_statistics() -> None:
    assert not modules_after("import steelyard.cli.main") & HEAVY_FOR_THE_COMMAND_LINE
