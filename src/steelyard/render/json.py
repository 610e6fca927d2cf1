"""Render results as strict JSON, and generate their JSON Schemas.

The adapters are those of the reader (`sources/records.py`), so writer, reader and schema agree.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic_core import PydanticSerializationError

from steelyard.errors import InputError
from steelyard.model.sample import SampleExcerpt
from steelyard.ports import Renderable
from steelyard.render.kinds import EVERY_KIND
from steelyard.sources.json_schema import schema_definitions
from steelyard.sources.records import SCHEMA_NAMES, Record, noun, record_adapter

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

# Indented JSON has one value per line and texts end in a quote, so this matches numbers only.
NOT_A_NUMBER = re.compile(rb"(?:NaN|Infinity),?$", re.MULTILINE)

# Fields added after version 0.1 are omitted if empty.
ADDED_LATER = (
    *("integrity", "honeypots", "baseline_integrity", "current_integrity", "benchmark"),
    *("expects_refusal", "history", "older_baselines", "also_at_k", "planned_samples", "unchecked"),
    "addresses",
)

# JSON allows these characters, but a terminal would interpret them.
CONTROL = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class JsonRenderer:
    """Any result as JSON."""

    kinds = EVERY_KIND
    is_text = True
    shows_samples = False

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        del samples  # the answers are not part of a record
        return record_json(result, type(result))


def record_json(record: Record, kind: type[Record]) -> str:
    """Return a record as strict JSON, ending in a newline.

    Raises:
        InputError: The record has text that JSON cannot encode.
        ValueError: The record contains NaN or infinity.
    """
    try:
        written = record_adapter(kind).dump_json(record, indent=2, exclude=_empty_additions(record))
    except PydanticSerializationError as error:
        raise InputError(f"this {noun(kind)} cannot be written as JSON: {error}") from error
    # A report has megabytes: avoid the regular expression if possible.
    if (b"NaN" in written or b"Infinity" in written) and NOT_A_NUMBER.search(written):
        raise ValueError(f"a {noun(kind)} contains NaN or Infinity, which JSON does not allow")
    text = written.decode() + "\n"
    if text.isascii() and "\x7f" not in text:
        return text
    return CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _empty_additions(record: object) -> set[str]:
    """Return the later fields that are empty: older records keep their JSON unchanged."""
    return {name for name in ADDED_LATER if getattr(record, name, ()) in {(), None}}


def record_json_schema(kind: type[Record]) -> dict[str, Any]:
    """Return the JSON Schema of a kind of record."""
    title = f"Steelyard {SCHEMA_NAMES[kind].removeprefix('steelyard.').partition('/')[0]}"
    definitions = schema_definitions(record_adapter(kind))
    for definition in definitions.values():
        for field in definition.get("properties", {}).values():
            field.pop("title", None)  # derived from the field's name: `k` needs no "K"
    whole = definitions.pop(kind.__name__)
    whole["properties"]["schema"] = {"const": SCHEMA_NAMES[kind], "type": "string"}
    whole.setdefault("required", []).insert(0, "schema")
    return {"$schema": DIALECT, "title": title, **(whole | {"title": title}), "$defs": definitions}
