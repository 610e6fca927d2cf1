"""Importing Steelyard, or asking its command line for help, loads no heavy library."""

import subprocess
import sys
from pathlib import Path

import pytest

HOMED = {"aiohttp", "deltalake", "duckdb", "huggingface_hub", "numpy", "obstore", "ray", "rich", "starlette"}
HEAVY = HOMED | {"pyarrow", "pydantic", "scipy", "typer"}
HEAVY_FOR_A_COMMAND = {"aiohttp", "duckdb", "deltalake", "pyarrow", "ray", "scipy"}
# Rich generates the help of a command; the list of commands does without.
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


def test_counting_a_file_of_outcomes_does_not_load_the_run_store(tmp_path: Path) -> None:
    outcomes = tmp_path / "outcomes.csv"
    outcomes.write_text("case,passed\na,true\nb,false\n")

    loaded = modules_after(COMMAND, "score", str(outcomes), "-o", str(tmp_path / "report.json"))

    assert "duckdb" in loaded
    assert not loaded & {"deltalake", "arro3", "ray", "aiohttp"}
