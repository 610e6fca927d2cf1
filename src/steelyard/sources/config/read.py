"""Read and validate `steelyard.toml`, the settings that hold for all runs.

It never holds the key of a provider, and no error message repeats one.
"""

from pathlib import Path
from typing import Any

from steelyard.errors import InputError
from steelyard.model.config import Config
from steelyard.sources.config.records import config_of, contradictions
from steelyard.sources.config.shape import FORM
from steelyard.sources.toml.problems import refusal
from steelyard.sources.toml.tables import read_tables

CONFIG_FILE = Path("steelyard.toml")


def read_config(path: Path | None = None) -> Config:
    """Read the file, or list everything that is wrong with it; by default the one in this folder, if any."""
    file = path or CONFIG_FILE
    if not file.exists():
        if path is None:
            return Config()
        raise InputError(
            f"{path}: there is no such file; without `config`, {CONFIG_FILE} is read if it is there"
        )
    read = read_tables(file, FORM)
    result = contradictions(read.holds) if read.is_whole else ()
    problems = [*read.problems, *(read.problem(at, message) for at, message in result)]
    if problems:
        raise refusal(file, problems, what="configuration")
    return config_of(read.holds)


def config_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of `steelyard.toml`, for editors."""
    return FORM.json_schema()
