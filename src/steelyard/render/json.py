"""Write reports, comparisons and verdicts as strict JSON, and the JSON Schemas that describe it.

The adapters that write are those that read (`sources/records.py`): writer, reader and schema cannot disagree.
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

# Indented JSON has one value on a line and a text value ends in a quote, so this finds nothing but numbers.
NOT_A_NUMBER = re.compile(rb"(?:NaN|Infinity),?$", re.MULTILINE)

# Fields that came after version 0.1; empty ones are left out.
ADDED_LATER = (
    *("integrity", "honeypots", "baseline_integrity", "current_integrity", "benchmark"),
    *("expects_refusal", "history", "older_baselines", "also_at_k", "planned_samples", "unchecked"),
    "addresses",
)

# JSON may hold these characters as they are, but a terminal would obey them.
OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


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
    """Return a record of some kind as strict JSON, ending in a newline."""
    try:
        written = record_adapter(kind).dump_json(record, indent=2, exclude=_unsaid(record))
    except PydanticSerializationError as error:
        raise InputError(f"this {noun(kind)} cannot be written as JSON: {error}") from error
    # A report has megabytes: what a quick look rules out is not searched for.
    if (b"NaN" in written or b"Infinity" in written) and NOT_A_NUMBER.search(written):
        raise ValueError(f"a {noun(kind)} holds NaN or Infinity, which are no JSON")
    text = written.decode() + "\n"
    if text.isascii() and "\x7f" not in text:
        return text
    return OBEYED.sub(lambda result: f"\\u{ord(result[0]):04x}", text)


def _unsaid(record: object) -> set[str]:
    """Return the fields to leave out, so that what was written before they came is written the same."""
    return {name for name in ADDED_LATER if getattr(record, name, ()) in {(), None}}


def record_json_schema(kind: type[Record]) -> dict[str, Any]:
    """Return the JSON Schema of a kind of record."""
    title = f"Steelyard {SCHEMA_NAMES[kind].removeprefix('steelyard.').partition('/')[0]}"
    definitions = schema_definitions(record_adapter(kind))
    for definition in definitions.values():
        for field in definition.get("properties", {}).values():
            field.pop("title", None)  # pydantic makes it of the field's name: `k` needs no "K"
    whole = definitions.pop(kind.__name__)
    whole["properties"]["schema"] = {"const": SCHEMA_NAMES[kind], "type": "string"}
    whole.setdefault("required", []).insert(0, "schema")
    return {"$schema": DIALECT, "title": title, **(whole | {"title": title}), "$defs": definitions}
