"""Write the JSON Schemas of all public records into docs/reference/; a test sees that they are fresh."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steelyard.model.baseline import Baseline
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.report import Report
from steelyard.model.sequence import GateSequence
from steelyard.render.json import record_json_schema
from steelyard.sources.config.read import config_json_schema
from steelyard.sources.evalset.read import eval_set_json_schema
from steelyard.sources.records import Record
from steelyard.sources.rubric.read import rubric_json_schema

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
MEANINGS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("field_meanings.toml").read_text(encoding="utf-8")
)


def schema_files() -> Mapping[str, str]:
    """Return what each schema file should hold."""
    schemas = {
        "report.schema.json": described_schema(Report),
        "comparison.schema.json": described_schema(Comparison),
        "gate.schema.json": described_schema(GateReport),
        "history.schema.json": described_schema(History),
        "matrix.schema.json": described_schema(SubjectMatrix),
        "baseline.schema.json": described_schema(Baseline),
        "sequence.schema.json": described_schema(GateSequence),
        "eval-set.schema.json": eval_set_json_schema(),
        "config.schema.json": config_json_schema(),
        "rubric.schema.json": rubric_json_schema(),
    }
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}


def described_schema(kind: type[Record]) -> dict[str, Any]:
    """Return the schema of a record with the meaning of each field."""
    schema = record_json_schema(kind)
    for name, record in {kind.__name__: schema, **schema["$defs"]}.items():
        for field, meaning in MEANINGS.get(name, {}).items():
            record["properties"][field]["description"] = meaning
    return schema


if __name__ == "__main__":
    for name, text in schema_files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/reference/{name}")
