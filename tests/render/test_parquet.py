"""The summary as Parquet: the table of the CSV file, with types, read back by two readers."""

import csv
from io import BytesIO, StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from steelyard.cli import output
from steelyard.errors import UserError
from steelyard.model.report import Report
from steelyard.render.csv import CsvRenderer
from steelyard.render.parquet import ParquetRenderer
from tests.analysis.reports import report, tiered_report, undefined_subject


def test_the_table_is_that_of_the_csv_file() -> None:
    whole = tiered_report()

    table = pq.read_table(BytesIO(ParquetRenderer().render(whole)))

    written = csv.DictReader(StringIO(CsvRenderer().render(whole)))
    read = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in table.to_pylist()
    ]
    assert read == list(written)
    assert str(table.schema.field("samples").type) == "int64"
    assert str(table.schema.field("score").type) == "double"


def test_an_undefined_number_is_null_and_an_empty_report_an_empty_table() -> None:
    lone = pq.read_table(BytesIO(ParquetRenderer().render(report(undefined_subject()))))
    empty = pq.read_table(BytesIO(ParquetRenderer().render(report())))

    assert lone.column("score").to_pylist() == [None]
    assert empty.num_rows == 0
    assert empty.column_names == lone.column_names


def test_parquet_goes_to_a_file_and_not_to_the_screen(tmp_path: Path) -> None:
    path = tmp_path / "summary.parquet"

    output.show_result(tiered_report(), output.outputs(Report, "text", [path]))

    assert pq.read_table(path).num_rows == 4
    with pytest.raises(UserError, match="parquet"):
        output.outputs(Report, "parquet", [])
