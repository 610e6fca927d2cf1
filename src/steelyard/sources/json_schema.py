"""Describe our records as JSON Schema, alike with every version of pydantic that we allow.

Callers choose the records and the rest of the schema.
"""

from inspect import cleandoc
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DataclassSchema


class _RecordSchema(GenerateJsonSchema):
    """Describes each dataclass as pydantic does since 2.13: with its docstring, and no other keys allowed."""

    def dataclass_schema(self, schema: DataclassSchema) -> JsonSchemaValue:
        """Return the schema of one dataclass."""
        described = super().dataclass_schema(schema)
        described.setdefault("additionalProperties", False)
        described.setdefault("description", cleandoc(schema["cls"].__doc__ or ""))
        return described


def schema_definitions(adapter: TypeAdapter[Any]) -> dict[str, Any]:
    """Return the schema of every record that an adapter knows, by the record's name."""
    definitions: dict[str, Any] = adapter.json_schema(schema_generator=_RecordSchema)["$defs"]
    return definitions
