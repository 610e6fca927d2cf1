"""Read plain data from TOML: values of any kind, and lists of tables that may lie in a JSON file."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, GetJsonSchemaHandler, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.text import FILE, FILE_SCHEMA, text_error, text_of

Item = TypeVar("Item")
NULL = {"null": True}  # what stands for null, which TOML cannot say


def _plain(value: object) -> object:
    """Return a value with null for its tag, and with tags for the floats that JSON lacks."""
    if isinstance(value, dict):
        return None if value == NULL else {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def inline_list(
    parsed: object, path: KeyPath, folder: Path, at: KeyPath = ()
) -> Iterator[tuple[KeyPath, str]]:
    """Put the lists of JSON files where `{ file = … }` stands for one in parsed TOML; yield problems."""
    if isinstance(parsed, list):
        for index, item in enumerate(parsed):
            yield from inline_list(item, path, folder, (*at, index))
    elif isinstance(parsed, dict) and path and path[0] in parsed:
        name, rest = path[0], path[1:]
        if rest:
            yield from inline_list(parsed[name], rest, folder, (*at, name))
        elif isinstance(parsed[name], dict):
            try:
                parsed[name] = _list_of(parsed[name], folder)
            except PydanticCustomError as error:
                parsed[name] = []
                yield (*at, name), error.message()


def _list_of(table: dict[str, object], folder: Path) -> list[object]:
    """Return the list in a JSON file that is named in the place of a list."""
    name = table.get(FILE)
    if set(table) != {FILE} or not isinstance(name, str):
        raise text_error('found a table, expected a list of tables, or { file = "path" } and nothing else')
    try:
        result = json.loads(text_of(name, folder))
    except (ValueError, RecursionError) as error:
        raise text_error(f"the file {name!r} is no JSON: {error}") from None
    if not isinstance(result, list):
        raise text_error(f"the file {name!r} holds no list; write [ … ] into it")
    return result


class _OrFile:
    """Lets the JSON Schema of a list allow the name of a file, too."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), FILE_SCHEMA]}


_ANYTHING: dict[str, Any] = {"type": ["string", "number", "boolean", "array", "object"]}
PlainValue = Annotated[object, BeforeValidator(_plain), WithJsonSchema(_ANYTHING)]
ListOrFile = Annotated[tuple[Item, ...], _OrFile()]
