"""Read a CSV of repaired files that are not validated yet, and write the results of validation.

The columns are those of the Terraform repair evaluator: oid, iteration_id, llm_name, filename, fixed_file.
"""

import csv
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.column_names import repeated_column
from steelyard.model.outcome import Classification

NEEDED = ("oid", "iteration_id", "filename", "fixed_file")
OUTCOME_COLUMNS = ("oid", "iteration_id", "llm_name", "filename", "plausible_fix")


def fix_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a fixes file, or say what it lacks."""
    # A cell holds a whole file, and the csv module refuses cells over 128 KiB by default.
    csv.field_size_limit(sys.maxsize)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            if repeated := repeated_column(reader.fieldnames or ()):
                raise InputError(f"{path}, line 1: {repeated}; rename or remove all but one")
            absent = [name for name in NEEDED if name not in (reader.fieldnames or ())]
            if absent:
                raise InputError(
                    f"{path}: has neither a column 'plausible_fix' nor the column {absent[0]!r} "
                    f"that validating its fixes would need"
                )
            rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error})") from None
    for index, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise InputError(f"{path}, row {index}: has not as many columns as the header")
    return rows


def outcome_table(rows: Sequence[Mapping[str, str]], classifications: Sequence[Classification]) -> str:
    """Return the outcomes as CSV; where we, not the fix, broke, `plausible_fix` stays empty."""
    text = StringIO()
    writer = csv.DictWriter(
        text, fieldnames=OUTCOME_COLUMNS, extrasaction="ignore", lineterminator="\n", restval=""
    )
    writer.writeheader()
    for row, kind in zip(rows, classifications, strict=True):
        plausible = str(kind is Classification.PASS) if kind.is_evidence else ""
        writer.writerow({**row, "plausible_fix": plausible})
    return text.getvalue()
