"""A report in a screenful: ranked, with what failed most, in 80 columns."""

from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import AtK, Report, SubjectSummary
from steelyard.model.summary import Coverage
from steelyard.render.document.summary import failed_most
from steelyard.render.text import TextRenderer
from tests.analysis.reports import case, report, subject


def short(whole: Report, *, width: int | None = None) -> list[str]:
    return TextRenderer(details=False, width=width).render(whole).splitlines()


def rated(model: str, rate: float) -> SubjectSummary:
    return replace(subject(model), pass_rate=Estimate.of(rate))


def test_the_subjects_are_ranked_and_the_answer_comes_first() -> None:
    lines = short(report(rated("worst", 0.1), rated("best", 0.9), rated("middle", 0.5)))

    assert lines[0].startswith("Best of 3 models: best passes 90 %")
    assert [line.split()[0] for line in lines[4:7]] == ["best", "middle", "worst"]


def test_where_refusing_is_right_the_passes_stand_beside_what_is_as_expected() -> None:
    subjects = [
        replace(rated(model, rate), expectation_met=Estimate.of(met))
        for model, rate, met in (("complies", 0.9, 0.25), ("refuses", 0.5, 0.75))
    ]

    text = short(replace(report(*subjects), expects_refusal=(("s", "bomb"),)))

    [head] = [line.split() for line in text if "as expected" in line]
    assert head[:4] == ["model", "as", "expected", "passes"]
    [first, second] = [line.split() for line in text if line.startswith(("complies  ", "refuses  "))]
    assert (first[0], first[1], first[3]) == ("refuses", "75", "50")
    assert (second[0], second[1], second[3]) == ("complies", "25", "90")


def test_a_large_report_fits_a_screen_of_80_columns() -> None:
    models = [f"provider/some-model-{number:02d}" for number in range(40)]
    cases = [
        replace(case(f"case-{number}", model=model), n=10, c=number % 10)
        for model in models
        for number in range(90)
    ]
    whole = report(
        *(rated(model, 0.5) for model in models),
        cases=cases,
        warnings=[f"warning number {number}" for number in range(30)],
    )

    lines = short(whole, width=80)

    assert max(map(len, lines)) <= 80
    assert len(lines) <= 37


def test_the_worst_cases_come_first_and_are_summed_over_subjects() -> None:
    rows = [
        replace(case(name, model=model), n=4, c=passed)
        for model in "ab"
        for name, passed in (("easy", 4), ("hard", 0), ("odd", 3))
    ]

    assert failed_most(report(subject("a"), subject("b"), cases=rows)) == [
        (("basics", "hard"), 8, 8),
        (("basics", "odd"), 2, 8),
    ]


def test_the_last_line_says_where_the_rest_is() -> None:
    assert short(report(subject()))[-1] == "more: --details shows every number, -o report.html every answer"


def test_what_may_change_the_reading_is_never_left_out() -> None:
    lines = short(report(subject(), warnings=["2 cases without a sample"]))

    assert "warning: 2 cases without a sample" in lines


def test_the_only_subject_with_gaps_is_named() -> None:
    none = Coverage(expected=2, seen=2, missing=0, unknown=0, duplicate=0, errored=0)
    one = replace(rated("one", 0.5), coverage=none)
    two = replace(rated("two", 0.4), coverage=replace(none, seen=1, missing=1))

    whole = report(one, two)

    assert any(line.startswith("coverage of two: 1 of 2 cases seen") for line in short(whole))


def test_each_k_that_was_asked_for_has_its_column_and_a_dash_its_reason() -> None:
    at_k = (
        AtK(k=1, estimate=Estimate.of(0.5)),
        AtK(k=5, estimate=Estimate.of(0.75)),
        AtK(k=10, estimate=Estimate.undefined(Reason.K_EXCEEDS_N, "2 of 2 cases have fewer than 10 samples")),
    )
    lines = short(report(replace(rated("a", 0.5), pass_at_k=at_k)))

    head = next(line for line in lines if line.startswith("model"))
    assert "pass@1 " not in head
    assert "pass@5" in head
    assert "75 %" in next(line for line in lines if line.startswith("a  "))
    assert "pass@10: 2 of 2 cases have fewer than 10 samples" in lines


def test_a_run_that_is_not_finished_says_so_below_the_answer() -> None:
    half = replace(report(rated("a", 0.5)), planned_samples=300)

    assert short(half)[1].startswith("The run is not finished: ")
    assert " of 300 planned samples are checked; cases without a sample count as failures." in short(half)[1]
