"""Write a report's summary as Parquet: the table of the CSV file, with types, for data tools."""

from steelyard.model.report import Report
from steelyard.render.csv import COUNTS, summary
from steelyard.store.parquet import parquet_bytes

WORDS = frozenset({"model", "tier", "grade"})


class ParquetReport:
    """A report's summary as Parquet, one row for each subject."""

    def render_bytes(self, report: Report) -> bytes:
        """Return the whole file."""
        header, *rows = summary(report)
        return parquet_bytes({str(name): _kind(str(name)) for name in header}, rows)


def _kind(name: str) -> type:
    if name in WORDS:
        return str
    return int if name in COUNTS else float
