"""A report in a screenful: ranked, with what failed most, in 80 columns."""

from dataclasses import replace

from steelyard.model.estimate import Estimate
from steelyard.model.report import Report
from steelyard.render.document.summary import failed_most
from steelyard.render.text import TextRenderer
from tests.analysis.reports import case, report, subject


def short(whole: Report, *, width: int | None = None) -> list[str]:
    return TextRenderer(details=False, width=width).render(whole).splitlines()


def rated(model: str, rate: float) -> Report:
    return replace(subject(model), pass_rate=Estimate.of(rate))  # type: ignore[return-value]  # a subject


def test_the_subjects_are_ranked_and_the_answer_comes_first() -> None:
    lines = short(report(rated("worst", 0.1), rated("best", 0.9), rated("middle", 0.5)))  # type: ignore[arg-type]

    assert lines[0].startswith("Best of 3 models: best passes 90 %")
    assert [line.split()[0] for line in lines[4:7]] == ["best", "middle", "worst"]


def test_a_large_report_fits_a_screen_of_80_columns() -> None:
    models = [f"provider/some-model-{number:02d}" for number in range(40)]
    cases = [
        replace(case(f"case-{number}", model=model), n=10, c=number % 10)
        for model in models
        for number in range(90)
    ]
    whole = report(
        *(rated(model, 0.5) for model in models),  # type: ignore[arg-type]
        cases=cases,
        warnings=[f"warning number {number}" for number in range(30)],
    )

    lines = short(whole, width=80)

    assert max(map(len, lines)) <= 80
    assert len(lines) <= 36


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
