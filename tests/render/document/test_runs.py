from pathlib import Path

import pytest

from steelyard.model.report import Report
from steelyard.render.document.runs import (
    each_run_section,
    run_tiers_section,
    runs_section,
)
from steelyard.render.document.spreads import run_spreads_section, spreads_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.counted import reported
from tests.analysis.test_runs import BASELINE, BETTER, HEADER, rows
from tests.render.document.reading import columns, said

TWO_CASES = HEADER + BASELINE + BETTER


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return reported(tmp_path, TWO_CASES)


def test_the_median_run_of_each_tier_stands_in_one_row(report: Report) -> None:
    section = runs_section(report)

    table = columns(section)
    assert table["tier"] == ["T0", "T1"]
    assert table["runs"] == ["3", "3"]
    assert table["composite"] == ["0.4000", "0.8000"]
    assert table["uplift"] == ["baseline", "+100.0 %"]
    assert table["cost"] == ["$0.2000", "$0.6000"]
    assert table["cost of pass"] == ["$0.2000", "$0.3000"]
    assert table["duration (s)"] == ["4.00", "4.00"]
    assert said(section)[0].startswith("a run: one sample of every case")


def test_what_nobody_measured_has_no_column(tmp_path: Path) -> None:
    text = "model,tier,case,attempt,passed\n" + "".join(
        f"m,{tier},c,{attempt},True\n" for tier in ("T0", "T1") for attempt in range(2)
    )

    table = columns(runs_section(reported(tmp_path, text)))

    assert {"impl rate", "cost", "cost of pass", "duration (s)"}.isdisjoint(table)
    assert table["score"] == ["1.0000", "1.0000"]


def test_runs_that_are_left_out_are_told(tmp_path: Path) -> None:
    section = runs_section(reported(tmp_path, TWO_CASES + "m,T0,c0,3,True,0.9,0.1,2\n"))

    assert said(section)[1] == "1 run excluded from the medians: some cases have no evidence"


def test_seven_numbers_are_shown_for_each_quantity_and_what_is_endless_looks_so(report: Report) -> None:
    table = columns(run_spreads_section(report))

    place = table["quantity"].index("cost of pass")
    assert (table["median"][place], table["mean"][place], table["max"][place]) == ("$0.2000", "∞", "∞")
    assert (table["std_dev"][place], table["count"][place]) == (UNDEFINED, "3")
    assert table["quantity"][:3] == ["pass rate", "impl rate", "composite"]


def test_few_runs_are_listed_and_many_are_counted(report: Report, tmp_path: Path) -> None:
    many = "".join(f"m,{tier},c0,{attempt},True,1,1,1\n" for tier in ("T0", "T1") for attempt in range(30))

    table = columns(each_run_section(report))

    assert table["run"] == ["0", "1", "2"] * 2
    assert table["cost of pass"][:3] == ["$0.2000", "$0.2000", "∞"]
    assert said(each_run_section(reported(tmp_path, HEADER + many))) == [
        "runs: 60 rows, too many to show here; --format json has all of them"
    ]


def test_tiers_lie_apart_by_their_median_runs(report: Report) -> None:
    table = columns(run_tiers_section(report))

    assert table["tiers"] == ["T0, T1"]
    assert table["pass rate variance"] == ["0.0625"]
    assert table["cost delta"] == ["$0.4000"]


def test_where_a_run_is_a_sample_nothing_is_said_twice(tmp_path: Path) -> None:
    one_case = (
        HEADER + rows("T0", ((True, 1.0),), ((False, 0.0),)) + rows("T1", ((True, 1.0),), ((True, 1.0),))
    )
    single = reported(tmp_path, one_case)

    assert run_tiers_section(single).is_empty
    assert spreads_section(single).is_empty
    assert not run_spreads_section(single).is_empty


def test_a_median_that_never_passes_costs_endlessly_much(tmp_path: Path) -> None:
    text = HEADER + rows("T0", ((False, 0.5),), ((False, 0.5),)) + rows("T1", ((True, 1.0),), ((True, 1.0),))

    assert columns(runs_section(reported(tmp_path, text)))["cost of pass"] == ["∞", "$0.1000"]


@pytest.mark.parametrize(
    "text",
    [
        "model,case,attempt,passed\nm,a,0,True\nm,a,1,True\n",
        "model,tier,case,passed\nm,T0,a,True\nm,T1,a,True\n",
        HEADER + rows("T0", ((True, 1.0),)),
    ],
    ids=["neither tiers nor judges", "no attempts", "a single run"],
)
def test_runs_that_say_nothing_new_are_not_shown(tmp_path: Path, text: str) -> None:
    report = reported(tmp_path, text)

    for section in (runs_section, run_spreads_section, each_run_section, run_tiers_section):
        assert section(report).is_empty
