"""Read a text of an eval set from a file of its own: `{ file = "prompts/add.md" }`.

The rule: text in quotes is always itself, and never the name of a file. A path is relative to the TOML file
and may not lead out of its folder: a set from a stranger must not read other files.
"""

import json
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

FILE = "file"
LARGEST_BYTES = 16 * 1024 * 1024
FILE_SCHEMA = {
    "type": "object",
    "properties": {FILE: {"type": "string", "description": "A path relative to this TOML file."}},
    "required": [FILE],
    "additionalProperties": False,
}


def _inline_file(value: object, info: ValidationInfo[dict[str, Path]]) -> object:
    """Return the text of a file that is named in the place of a text."""
    if not isinstance(value, dict):
        return value
    if set(value) != {FILE} or not isinstance(value[FILE], str):
        raise text_error('found a table, expected text, or { file = "path" } and nothing else')
    return text_of(value[FILE], info.context["folder"])


def _setting_text(value: object, info: ValidationInfo[dict[str, Path]]) -> object:
    """Return a setting as text: numbers as they are written, lists and tables as JSON."""
    if isinstance(value, dict) and set(value) == {FILE}:
        return _inline_file(value, info)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _as_list(value: object) -> object:
    """Return one value as a list of one."""
    return tuple(value) if isinstance(value, list) else (value,)


def text_of(name: str, folder: Path) -> str:
    """Return the text of a file that replaces a text, or say why not."""
    path = folder / name
    try:
        if is_outside(name) or not path.resolve().is_relative_to(folder.resolve()):
            raise text_error(f"the file {name!r} is not inside the folder of this TOML file; move it there")
        size = path.stat().st_size
        if not path.is_file():  # reading a pipe would wait for a writer
            raise text_error(f"{name!r} is not a file; write the text into one")
        if size > LARGEST_BYTES:
            raise text_error(f"the file {name!r} is larger than {LARGEST_BYTES >> 20} MiB; shorten it")
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise text_error(f"the file {name!r} cannot be read: it is not UTF-8 text") from None
    except OSError as error:
        raise text_error(f"the file {name!r} cannot be read: {error.strerror}") from None
    except RuntimeError:  # before Python 3.13, what a link that leads to itself raises
        raise text_error(f"the file {name!r} cannot be read: it is a link that leads to itself") from None


def is_outside(name: str) -> bool:
    r"""Whether a path is not one that stays where it begins.

    >>> [is_outside(name) for name in ("src/lib.rs", "/etc/passwd", "a/../../b", "c:\\x", "")]
    [False, True, True, True, True]
    """
    path = PurePosixPath(name)
    is_plain = bool(path.parts) and "\\" not in name and "\x00" not in name and ":" not in path.parts[0]
    return path.is_absolute() or ".." in path.parts or not is_plain


def text_error(message: str) -> PydanticCustomError:
    """Return the error of a value that cannot be used."""
    # Braces would be taken for placeholders.
    return PydanticCustomError("eval_set", "{message}", {"message": message})


Text = Annotated[
    str, BeforeValidator(_inline_file), WithJsonSchema({"anyOf": [{"type": "string"}, FILE_SCHEMA]})
]
_ANYTHING: dict[str, Any] = {"type": ["string", "number", "boolean", "array", "object"]}
Setting = Annotated[str, BeforeValidator(_setting_text), WithJsonSchema(_ANYTHING)]
Choices = Annotated[tuple[Setting, ...], BeforeValidator(_as_list), WithJsonSchema(_ANYTHING)]
