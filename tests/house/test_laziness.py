"""Importing Steelyard, or asking its command line for help, loads no heavy library."""

import subprocess
import sys

import pytest

HOMED = {"aiohttp", "deltalake", "duckdb", "huggingface_hub", "numpy", "obstore", "ray", "rich", "starlette"}
HEAVY = HOMED | {"pyarrow", "pydantic", "scipy", "typer"}
HEAVY_FOR_A_COMMAND = {"aiohttp", "duckdb", "deltalake", "pyarrow", "ray", "scipy"}
# Rich draws the help of a command; the list of commands does without.
HEAVY_FOR_HELP = (HEAVY - {"typer"}) | {"markdown_it", "pygments", "asyncio", "attr"}
COMMAND = "import sys; from steelyard.cli.main import main; main(sys.argv[1:])"


def modules_after(statement: str, *words: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter holds after one statement."""
    listing = f"{statement}; import sys; print('modules:', *sys.modules, sep='\\n')"
    command = [sys.executable, "-c", listing, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.partition("modules:\n")[2].split())


def test_importing_steelyard_loads_no_heavy_library() -> None:
    assert not modules_after("import steelyard") & HEAVY


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_list_of_commands_loads_none_of_them(option: str) -> None:
    assert not modules_after(COMMAND, option) & HEAVY_FOR_HELP


@pytest.mark.parametrize("command", ["run", "regrade", "score", "gate", "ci", "validate", "doctor"])
def test_the_help_of_a_command_loads_neither_database_nor_engine(command: str) -> None:
    loaded = modules_after(COMMAND, command, "--help")

    assert not loaded & HEAVY_FOR_A_COMMAND
    assert not {name for name in loaded if name.startswith(("steelyard.runner", "steelyard.store"))}
