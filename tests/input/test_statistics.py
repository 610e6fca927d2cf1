"""Edges of the seven numbers: population spread, ties of the mode, and nothing at all."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from tests.commands import scored, written
from tests.input.scoring import HEADER, report_of, subject_of

SCORES = "model,case,attempt,passed,score\n"


def rows(*scores: str) -> str:
    """Return outcomes with these scores."""
    return SCORES + "".join(f"a,c,{place},True,{score}\n" for place, score in enumerate(scores))


def test_std_dev_is_that_of_the_population(tmp_path: Path) -> None:
    spread = subject_of(report_of(tmp_path, rows("0", "1"))).spreads.score

    assert spread.std_dev == steelyard.statistics([0, 1]).std_dev == 0.5


def test_of_several_modes_the_smallest_exact_value_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, rows("0.9", "0.3", "0.9", "0.3", "0.1"))

    spread = scored(capsys, path)["subjects"][0]["spreads"]["score"]

    assert spread["mode"] == steelyard.statistics(["0.9", "0.3", "0.9", "0.3", "0.1"]).mode == 0.3


def test_an_empty_list_has_a_count_of_0_and_nothing_else() -> None:
    found = steelyard.statistics([])

    assert found.count == 0
    assert {found.median, found.mean, found.mode, found.min, found.max, found.std_dev} == {None}


def test_a_quantity_that_nobody_measured_has_a_count_of_0_and_the_reason(tmp_path: Path) -> None:
    spread = subject_of(report_of(tmp_path, rows("1"))).spreads.cost_usd

    assert (spread.count, spread.median, spread.reason) == (0, None, Reason.NOT_MEASURED)


def test_nothing_but_errors_gives_no_numbers_and_no_grade(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, HEADER + "a,c,0,\n"))

    assert (subject.spreads.score.count, subject.spreads.score.median) == (0, None)
    assert subject.grade.letter is None


def test_the_median_of_pass_and_fail_stands_beside_the_mean(tmp_path: Path) -> None:
    text = HEADER + "".join(f"a,c,{place},{place < 4}\n" for place in range(10))

    spread = subject_of(report_of(tmp_path, text)).spreads.pass_rate

    assert (spread.median, spread.mean) == (0.0, 0.4)


def test_medians_do_not_drift_where_floats_would(tmp_path: Path) -> None:
    spread = subject_of(report_of(tmp_path, rows("0.1", "0.2"))).spreads.score

    assert (spread.median, spread.mean) == (0.15, 0.15)
    assert (0.1 + 0.2) / 2 != 0.15
