"""Reports as text and as rows."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import UnknownName
from tests.commands import typed

ROWS = "model,case,passed,cost_usd,latency_s\nm,a,true,0.25,1.5\nm,a,false,0.25,1.5\nm,b,true,0.5,2\n"


@pytest.fixture
def outcomes(tmp_path: Path) -> Path:
    path = tmp_path / "outcomes.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_a_report_prints_as_what_the_command_line_shows(
    outcomes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = steelyard.score_files(outcomes)

    assert f"{report}\n" == typed(capsys, "score", outcomes).out


@pytest.mark.check_all
def test_a_comparison_and_a_verdict_print_as_text_too(outcomes: Path) -> None:
    report = steelyard.score_files(outcomes)

    assert str(steelyard.compare(report, report)).startswith("m passes 75 %, as before: no case changed.")
    assert str(steelyard.gate(report, report)).startswith("INCONCLUSIVE")


def test_a_report_gives_a_row_for_each_subject(outcomes: Path) -> None:
    frame = steelyard.score_files(outcomes).to_pandas()

    assert frame.to_dict("list")["model"] == ["m"]
    assert frame["total_cost_usd"][0] == pytest.approx(1.0)
    assert frame["pass@1"][0] == pytest.approx(0.75)


def test_a_report_gives_a_row_for_each_case_in_plain_units(outcomes: Path) -> None:
    frame = steelyard.score_files(outcomes).to_polars("cases")

    assert frame.select("case", "samples", "passed", "missing", "pass_rate").rows() == [
        ("a", 2, 1, False, 0.5),
        ("b", 1, 1, False, 1.0),
    ]


def test_an_unknown_table_is_refused_by_name(outcomes: Path) -> None:
    with pytest.raises(UnknownName, match="subjects"):
        steelyard.score_files(outcomes).to_pandas("samples")


def test_the_rows_of_a_run_come_in_dollars_and_seconds(outcomes: Path, tmp_path: Path) -> None:
    steelyard.import_files(outcomes, tmp_path / "run")
    run = steelyard.open_run(tmp_path / "run")

    plain, exact = run.to_pandas(), run.to_polars(exact=True)

    assert "cost_nano_usd" not in plain.columns
    assert sorted(exact["score_micro"]) == [0, 1_000_000, 1_000_000]
    assert sorted(plain["score"]) == [0.0, 1.0, 1.0]
    assert sorted(plain["cost_usd"]) == [0.25, 0.25, 0.5]
    assert sorted(exact["cost_nano_usd"]) == [250_000_000, 250_000_000, 500_000_000]
    assert sorted(plain["latency_s"]) == [1.5, 1.5, 2.0]
    assert "cost_usd" in run.to_polars("samples").columns
