from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import AtK
from steelyard.render.document.cases import CASE_ROWS, cases_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import case, report, subject, suite
from tests.render.document.reading import columns, said


def test_few_cases_are_shown() -> None:
    section = cases_section(report(subject(), cases=[case("fizzbuzz")]))

    assert section.title == "Cases (1)"
    assert columns(section) == {
        "case": ["fizzbuzz"],
        "samples": ["5"],
        "passed": ["3"],
        "pass@1": ["0.6000"],
        "pass@5": ["1.0000"],
        "score": ["0.8000"],
        "cost": ["$0.0123"],
        "latency (s)": ["1.50"],
    }


def test_who_and_where_are_told_when_there_are_several() -> None:
    whole = report(
        subject("a", "T0"),
        subject("b", "T1"),
        suites=[suite("x"), suite("y")],
        cases=[case("fizzbuzz", model="a")],
    )

    assert list(columns(cases_section(whole)))[:4] == ["model", "tier", "suite", "case"]


def test_thirty_rows_are_shown_and_one_more_is_not() -> None:
    names = [str(number) for number in range(CASE_ROWS + 1)]

    shown = cases_section(report(subject(), cases=[case(name) for name in names[:-1]]))
    hidden = cases_section(report(subject(), cases=[case(name) for name in names]))

    assert len(shown.rows) == 30
    assert said(hidden) == ["cases: 31 rows, too many to show here; --format json has all of them"]


def test_no_cases_are_no_section() -> None:
    assert cases_section(report(subject())).is_empty


def test_a_missing_case_says_so_and_an_errored_one_is_counted() -> None:
    absent = replace(case("absent"), n=0, c=0, missing=True)
    broken = replace(case("broken"), errored=2)

    table = columns(cases_section(report(subject(), cases=[absent, broken])))

    assert table["samples"] == ["missing", "5"]
    assert table["errored"] == ["0", "2"]


def test_one_line_explains_the_dashes_of_many_cases() -> None:
    short = [
        replace(case(name), pass_at_k=(case(name).pass_at_k[0], AtK(k=5, estimate=_exceeds(n))), n=n)
        for name, n in (("one", 1), ("two", 2))
    ]

    section = cases_section(report(subject(), cases=[*short, case("enough")]))

    assert columns(section)["pass@5"] == [UNDEFINED, UNDEFINED, "1.0000"]
    assert said(section) == ["pass@5 of one and two: not defined, there are fewer than k samples"]


def _exceeds(n: int) -> Estimate:
    return Estimate.undefined(Reason.K_EXCEEDS_N, f"k = 5 exceeds n = {n}")
