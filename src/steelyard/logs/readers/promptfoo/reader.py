"""Read results of promptfoo: JSON of versions 1 to 4, JSON lines, and CSV exports.

Repeats have no number: rows of the same test, prompt and provider are numbered in order.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector
from steelyard.logs.files import document, first_record, records, top
from steelyard.logs.readers.promptfoo.row import RowReader
from steelyard.logs.readers.promptfoo.table import is_table, table_records
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions

VERSIONS = range(1, 5)


class PromptfooReader:
    """Reads results of promptfoo."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has rows of promptfoo."""
        return (
            _is_row(first_record(path))
            or any(map(_is_row, _first_rows(top(path))))
            or _is_empty(top(path))
            or is_table(path)
        )

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read results."""
        _reject_mixed(paths)
        collector, version = Collector(), None
        reader = RowReader(collector, options)
        for path in paths:
            if is_table(path):
                rows = list(table_records(path))
            elif _is_row(first_record(path)):
                rows = list(records(path))
            else:
                record = Record(document(path), str(path))
                version = record.record("metadata").text("promptfooVersion")
                rows = list(_rows(record))
            reader.take(sorted(rows, key=lambda row: row.count("testIdx") or 0), path)
        return collector.log("promptfoo", version, tiers=reader.tiers())


def _reject_mixed(paths: Sequence[Path]) -> None:
    """Reject CSV exports mixed with JSON: without assertions, their tests cannot be matched."""
    tables = [path for path in paths if is_table(path)]
    if tables and len(tables) < len(paths):
        raise InputError(
            f"{tables[0]}: a CSV export has no assertions, so its tests cannot be matched with JSON results; "
            "import it as a separate run"
        )


def _is_row(value: object) -> bool:
    return (
        isinstance(value, dict)
        and "success" in value
        and "prompt" in value
        and not value.keys().isdisjoint({"vars", "testCase"})
    )


def _first_rows(keys: dict[str, object]) -> Iterator[object]:
    """Yield the first row at each location that a version of promptfoo uses."""
    for parent in (keys, keys.get("results"), keys.get("data")):
        inner = parent.get("results") if isinstance(parent, dict) else None
        inner = inner.get("results") if isinstance(inner, dict) else inner
        if isinstance(inner, list) and inner:
            yield inner[0]


def _is_empty(keys: dict[str, object]) -> bool:
    return "evalId" in keys and isinstance(keys.get("results"), dict)


def _rows(record: Record) -> list[Record]:
    holder = record.record("data") if "data" in record else record
    _require_version(holder)
    if isinstance(holder.get("results"), dict):
        holder = holder.record("results")
        _require_version(holder)
    return holder.records("results")


def _require_version(holder: Record) -> None:
    version = holder.get("version")
    if version is not None and version not in VERSIONS:
        raise InputError(
            f"{holder.where}: found version {version!r:.20} of promptfoo's results, "
            f"expected 1 to {VERSIONS[-1]}"
        )
