"""The few numbers that a page shows large."""

from dataclasses import replace

from steelyard.render.document.totals import report_totals
from tests.analysis.reports import bare_subject, report


def test_one_sample_is_no_plural() -> None:
    totals = report_totals(report(replace(bare_subject(), samples=1)))

    assert {column.title: column.cells for column in totals.columns}["sample"] == ("1",)
