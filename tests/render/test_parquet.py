"""The summary as Parquet: the table of the CSV file, with types, read back by two readers."""

import csv
from io import BytesIO, StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from steelyard.cli import output
from steelyard.errors import UnknownName
from steelyard.render.csv import CsvReport
from steelyard.render.parquet import ParquetReport
from tests.analysis.reports import report, tiered_report, undefined_subject


def test_the_table_is_that_of_the_csv_file() -> None:
    whole = tiered_report()

    table = pq.read_table(BytesIO(ParquetReport().render_bytes(whole)))

    written = csv.DictReader(StringIO(CsvReport().render(whole)))
    read = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in table.to_pylist()
    ]
    assert read == list(written)
    assert str(table.schema.field("samples").type) == "int64"
    assert str(table.schema.field("score").type) == "double"


def test_an_undefined_number_is_null_and_an_empty_report_an_empty_table() -> None:
    lone = pq.read_table(BytesIO(ParquetReport().render_bytes(report(undefined_subject()))))
    empty = pq.read_table(BytesIO(ParquetReport().render_bytes(report())))

    assert lone.column("score").to_pylist() == [None]
    assert empty.num_rows == 0
    assert empty.column_names == lone.column_names


def test_parquet_goes_to_a_file_and_not_to_the_screen(tmp_path: Path) -> None:
    path = tmp_path / "summary.parquet"

    output.show_report(tiered_report(), output.report_places("text", [path]))

    assert pq.read_table(path).num_rows == 4
    with pytest.raises(UnknownName, match="unknown format 'parquet'"):
        output.report_places("parquet", [])
