"""Letter grades: of a number that the report shows, with odds on other cases."""

import json
from pathlib import Path

import pytest

from steelyard.model.report import Report
from steelyard.model.summary import GradeBasis
from steelyard.render.csv import CsvRenderer
from steelyard.render.json import JsonRenderer
from steelyard.render.text import TextRenderer
from tests.analysis.counted import reported

HEADER = "model,case,attempt,passed\n"
TESTED = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings\n"


def report_of(folder: Path, *passes: int, samples: int = 10) -> Report:
    """Report on as many cases as there are counts of passes."""
    rows = [
        f"m,c{case},{place},{place < count}\n"
        for case, count in enumerate(passes)
        for place in range(samples)
    ]
    return reported(folder, HEADER + "".join(rows))


def test_the_mean_over_cases_is_graded_and_not_the_median_of_the_samples(tmp_path: Path) -> None:
    report = report_of(tmp_path, *[10] * 26, *[0] * 24)
    grade = report.subjects[0].grade

    assert report.subjects[0].score.value == 0.52
    assert (grade.letter, grade.of) == ("F", GradeBasis.CASE_MEAN)
    assert grade.probabilities["F"] == pytest.approx(1, abs=0.06)


def test_the_odds_are_those_of_other_cases_and_add_up(tmp_path: Path) -> None:
    grade = report_of(tmp_path, *[10] * 17, *[0] * 3).subjects[0].grade

    assert grade.letter == "B"
    assert sum(grade.probabilities.values()) == pytest.approx(1)
    assert 0.2 < grade.probabilities["B"] < 0.8
    assert grade.probabilities["A"] > 0.02 < grade.probabilities["D"]


def test_with_a_handful_of_cases_there_are_no_odds(tmp_path: Path) -> None:
    grade = report_of(tmp_path, 10, 10, 9).subjects[0].grade

    assert (grade.letter, grade.probabilities) == ("A", {})


@pytest.mark.parametrize(("cases", "odds"), [(6, None), (50, None), (61, 1)])
def test_cases_that_all_agree_have_odds_only_if_there_are_many(
    tmp_path: Path, cases: int, odds: float | None
) -> None:
    """Resampling six cases that all pass gives an A each time, and says nothing about a seventh."""
    grade = report_of(tmp_path, *[10] * cases).subjects[0].grade

    assert grade.letter == "A"
    assert grade.probabilities.get("A") == odds


def test_without_a_score_there_is_no_grade_in_any_format(tmp_path: Path) -> None:
    text = "model,case,attempt,classification\nm,a,0,pass\nm,b,0,pass\nm,c,0,error\n"

    report = reported(tmp_path, text)

    assert (report.subjects[0].score.value, report.subjects[0].grade.letter) == (None, None)
    assert report.subjects[0].grade.probabilities == {}
    assert "score and grade: not defined, 1 of 3 cases have no evidence" in TextRenderer().render(report)
    kept = json.loads(JsonRenderer().render(report))["subjects"][0]["grade"]
    assert (kept["letter"], kept["of"]) == (None, "case_mean")
    assert ",A," not in CsvRenderer().render(report)


def test_runs_that_only_pass_or_fail_are_graded_by_their_mean(tmp_path: Path) -> None:
    runs = report_of(tmp_path, 7, samples=13).subjects[0].runs

    assert runs is not None
    assert runs.spreads.score.median == 1
    assert (runs.grade.letter, runs.grade.of) == ("F", GradeBasis.MEAN_RUN)


def test_the_median_run_is_graded_where_runs_have_scores(tmp_path: Path) -> None:
    runs = report_of(tmp_path, *[10] * 9, 4).subjects[0].runs

    assert runs is not None
    assert runs.spreads.score.median == 0.9
    assert (runs.grade.letter, runs.grade.of) == ("B", GradeBasis.MEDIAN_RUN)


def test_a_mean_of_exactly_a_cut_earns_its_letter_although_scores_are_rounded(tmp_path: Path) -> None:
    # 0.5 + 0.5 * (4/15 + 4/15 + 11/30) / 3 = 0.65, of which no score is a whole number of micro-points.
    rows = "m,a,0,true,4,11,0\nm,b,0,true,4,11,0\nm,c,0,true,11,19,0\n"

    report = reported(tmp_path, TESTED + rows)

    assert report.subjects[0].grade.letter == "D"
    runs = report.subjects[0].runs
    assert runs is not None
    assert runs.grade.letter == "D"


def test_a_mean_a_little_below_a_cut_does_not(tmp_path: Path) -> None:
    rows = "model,case,attempt,passed,score\nm,a,0,true,0.65\nm,b,0,true,0.649997\n"

    assert reported(tmp_path, rows).subjects[0].grade.letter == "F"


def test_the_note_names_what_is_graded(tmp_path: Path) -> None:
    text = TextRenderer().render(report_of(tmp_path, *[10] * 17, *[0] * 3))

    assert (
        "grade: of the mean score; in brackets the probability of a letter for new cases of the same kind"
        in text
    )
