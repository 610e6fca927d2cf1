"""Render a report's summary as Parquet: the table of the CSV format, with types."""

from collections.abc import Sequence

from steelyard.model.report import Report
from steelyard.model.sample import SampleExcerpt
from steelyard.ports import Renderable
from steelyard.render.csv import COUNTS, INTEGRITY, summary
from steelyard.render.kinds import require_report
from steelyard.store.parquet import parquet_bytes

WORDS = frozenset({"model", "tier", "grade"})


class ParquetRenderer:
    """A report's summary as Parquet, one row for each subject."""

    kinds = (Report,)
    is_text = False
    shows_samples = False

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> bytes:
        """Return the whole file."""
        del samples  # a row is a subject
        header, *rows = summary(require_report(result, "parquet"))
        return parquet_bytes({str(name): column_type(str(name)) for name in header}, rows)


def column_type(name: str) -> type:
    """Return the type of a column of the summary."""
    if name in WORDS:
        return str
    return int if name in {*COUNTS, *INTEGRITY} else float
