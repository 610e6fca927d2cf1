"""Read `steelyard.toml`, which says once what holds for all runs, believing nothing.

No key of any provider is ever in it, nor in what is said about it.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from steelyard.errors import InputError
from steelyard.model.config import Config
from steelyard.sources.config.records import config_of, contradictions
from steelyard.sources.config.shape import TABLES, ConfigFile, ProviderTable
from steelyard.sources.records import STRICT
from steelyard.sources.toml.file import Toml, dates_in, editor_schema, read_toml
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import Problem, described, found, line_of, refusal

CONFIG_FILE = Path("steelyard.toml")
WHAT = "configuration"
DATED = "prices"  # the only table with keys that take a date


def read_config(path: Path | None = None) -> Config:
    """Read the file, or say everything that is wrong with it; without a path, that of this folder, if any."""
    place = path or CONFIG_FILE
    if not place.exists():
        if path is None:
            return Config()
        raise InputError(
            f"{path}: there is no such file; without --config, {CONFIG_FILE} is read if it is there"
        )
    toml = read_toml(place)
    problems = [*toml.problems, *_problems(place, toml, _dates(toml))]
    try:
        holds = _shaped(toml, place.parent)
    except ValidationError as error:
        tables = _tables(toml)
        wrong = ((detail["loc"], described(detail, tables)) for detail in error.errors(include_url=False))
        raise refusal(place, [*problems, *_problems(place, toml, wrong)], what=WHAT) from None
    problems += _problems(place, toml, contradictions(holds))
    if problems:
        raise refusal(place, problems, what=WHAT)
    return config_of(holds)


def config_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of `steelyard.toml`, for editors."""
    return editor_schema(_adapter(), ConfigFile, "Steelyard configuration")


@cache
def _adapter() -> TypeAdapter[ConfigFile | None]:
    return TypeAdapter(ConfigFile | None, config=STRICT)


def _shaped(toml: Toml, folder: Path) -> ConfigFile:
    # By way of JSON, since strict validation of Python values would take neither lists nor tables.
    text = json.dumps(toml.tables, default=str)
    return _adapter().validate_json(text, context={"folder": folder}) or ConfigFile()


def _problems(path: Path, toml: Toml, told: Iterator[tuple[KeyPath, str]]) -> list[Problem]:
    return [Problem(file=path, line=line_of(toml.lines, at), message=message) for at, message in told]


def _tables(toml: Toml) -> Mapping[tuple[str, ...], type]:
    """Return what each table may hold; that of a provider stands under its own name."""
    providers = toml.tables.get("providers")
    names = providers if isinstance(providers, Mapping) else ()
    return {**TABLES, **{("providers", str(name)): ProviderTable for name in names}}


def _dates(toml: Toml) -> Iterator[tuple[KeyPath, str]]:
    for at, value in dates_in(toml.tables, ()):
        if at[0] != DATED:
            yield at, f"found the date {found(value)}; put it in quotes"
