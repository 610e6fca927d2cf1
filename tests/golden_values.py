"""Read the golden values: numbers made with exact rationals and sixty digits, independent of this code."""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]

GOLDEN_FILE = Path(__file__).parent / "golden" / "stats.json"


@cache
def golden() -> dict[str, Row]:
    """Return the whole file, by the name of the section."""
    sections: dict[str, Row] = json.loads(GOLDEN_FILE.read_text(encoding="utf-8"))
    return sections


def golden_rows(section: str, part: str = "rows") -> list[Row]:
    """Return the rows of one section."""
    rows: list[Row] = golden()[section][part]
    return rows
