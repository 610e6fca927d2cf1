"""Define how records look as JSON: the adapters that read, write and describe them.

Files are read in `record_file.py`.
"""

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter

from steelyard.model.baseline import BASELINE_SCHEMA, Baseline
from steelyard.model.comparison import COMPARISON_SCHEMA, Comparison
from steelyard.model.gate import GATE_SCHEMA, GateReport
from steelyard.model.history import HISTORY_SCHEMA, History
from steelyard.model.matrix import MATRIX_SCHEMA, SubjectMatrix
from steelyard.model.report import REPORT_SCHEMA, Report
from steelyard.model.sequence import SEQUENCE_SCHEMA, GateSequence

Record = TypeVar("Record")

SCHEMA_NAMES: Mapping[type, str] = {
    Report: REPORT_SCHEMA,
    Comparison: COMPARISON_SCHEMA,
    GateReport: GATE_SCHEMA,
    SubjectMatrix: MATRIX_SCHEMA,
    History: HISTORY_SCHEMA,
    Baseline: BASELINE_SCHEMA,
    GateSequence: SEQUENCE_SCHEMA,
}

STRICT = ConfigDict(
    strict=True,
    extra="forbid",
    allow_inf_nan=False,
    ser_json_inf_nan="constants",  # the writer refuses these; the default would hide them as null
)


def record_adapter(kind: type[Record]) -> TypeAdapter[Record | None]:
    """Return the adapter of a kind of record.

    The "or null" is a detour: pydantic takes a configuration for a union and refuses one for a dataclass,
    though it then hands it on to every dataclass inside. A reader must still refuse null.
    """
    return cast("TypeAdapter[Record | None]", _adapter(cast("Hashable", kind)))


def noun(kind: type) -> str:
    """Return the English name of a kind of record.

    >>> noun(Report), noun(ConfigDict)
    ('report', 'config dict')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401  # a type made at run time
    return TypeAdapter(kind | None, config=STRICT)
