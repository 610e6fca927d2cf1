import csv
from dataclasses import replace
from io import StringIO
from math import inf

import pytest

from steelyard.errors import InputError
from steelyard.model.options import Missing
from steelyard.model.summary import CostOfPass
from steelyard.model.trust import SubjectIntegrity
from steelyard.render.csv import CsvRenderer, csv_text
from tests.analysis.reports import SETTINGS, at_ks, bare_subject, report, subject

HEADER = (
    "model,tier,cases,samples,passed,errored,missing,pass@1,pass@5,pass^1,pass^5,score,grade,"
    "build_rate,test_pass_rate,total_cost_usd,cost_of_pass_usd,mean_latency_s,"
    "score_low,score_high,pass@1_low,pass@1_high,pass@5_low,pass@5_high,"
    "samples_sealed,samples_partial,samples_open,samples_unknown"
)

FIGURES = (
    "12,60,46,2,0,0.77,0.999678,0.77,0.25,0.855,B,0.95,0.9,0.412,0.008956521739130434,1.2,"
    "0.7,0.96,0.61,0.93,0.8,1.0,,,,"
)


def test_there_is_one_row_for_each_subject() -> None:
    text = CsvRenderer().render(report(subject("a"), subject("b", "T1")))

    assert text.splitlines() == [
        HEADER,
        f"a,T0,{FIGURES}",
        f"b,T1,{FIGURES}",
    ]


def test_samples_are_counted_by_integrity() -> None:
    graded = SubjectIntegrity(model="a", tier="T0", sealed=7, partial=3, open=2, unknown=1)
    whole = replace(report(subject("a"), subject("b", "T1")), integrity=(graded,))

    known, unknown = csv.DictReader(StringIO(CsvRenderer().render(whole)))

    columns = [f"samples_{name}" for name in ("sealed", "partial", "open", "unknown")]
    assert [known[name] for name in columns] == ["7", "3", "2", "1"]
    assert [unknown[name] for name in columns] == [""] * 4


def test_an_undefined_number_is_an_empty_cell_and_an_infinite_one_is_inf() -> None:
    never = CostOfPass(value=None, infinite=True, lower_bound=1.93)
    one = replace(bare_subject(), pass_at_k=at_ks(0.5, None), cost_of_pass=never)

    [row] = csv.DictReader(StringIO(CsvRenderer().render(report(one))))

    assert (row["pass@1"], row["pass@5"], row["build_rate"]) == ("0.5", "", "")
    assert float(row["cost_of_pass_usd"]) == inf


def test_an_unknown_cost_of_pass_is_not_an_infinite_one() -> None:
    unknown = replace(bare_subject(), cost_of_pass=None)
    without_samples = replace(bare_subject(), cost_of_pass=CostOfPass(value=None))

    rows = csv.DictReader(StringIO(CsvRenderer().render(report(unknown, without_samples))))

    assert [row["cost_of_pass_usd"] for row in rows] == ["", ""]


def test_a_number_without_an_interval_has_empty_bounds() -> None:
    [row] = csv.DictReader(StringIO(CsvRenderer().render(report(bare_subject()))))

    assert (row["score_low"], row["score_high"], row["pass@5_low"]) == ("", "", "")


def test_missing_cases_are_among_the_cases_only_when_they_count() -> None:
    coverage = replace(subject().coverage, seen=9, missing=3)
    one = replace(subject(), coverage=coverage)
    skipping = replace(SETTINGS, missing=Missing.SKIP)

    [failing] = csv.DictReader(StringIO(CsvRenderer().render(report(one))))
    [skipped] = csv.DictReader(StringIO(CsvRenderer().render(report(one, settings=skipping))))

    assert (failing["cases"], skipped["cases"]) == ("12", "9")


@pytest.mark.parametrize("name", ["a,b", 'say "hi"', "two\nlines", "mac\rlines", "1=1", " space ", "模型"])
def test_every_name_comes_back_unaltered(name: str) -> None:
    text = CsvRenderer().render(report(subject(name)))

    [row] = csv.DictReader(StringIO(text, newline=""))

    assert row["model"] == name


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_name_that_a_spreadsheet_would_run_is_marked_as_text(start: str) -> None:
    text = CsvRenderer().render(report(subject(f"{start}1+1", f"{start}cmd")))

    [row] = csv.DictReader(StringIO(text, newline=""))

    assert (row["model"], row["tier"]) == (f"'{start}1+1", f"'{start}cmd")


def test_a_number_below_0_stays_a_number() -> None:
    assert csv_text([("a", -1.5)]) == "a,-1.5\n"


def test_lines_end_as_on_unix() -> None:
    assert csv_text([("a", "b"), (1, None)]) == "a,b\n1,\n"


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be encoded"):
        CsvRenderer().render(report(subject("\udcff")))
