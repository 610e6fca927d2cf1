from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import AtK
from steelyard.model.summary import CostOfPass, Grade
from steelyard.render.document.samples import failures_section
from steelyard.render.document.subjects import means_section, subjects_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import (
    SETTINGS,
    at_ks,
    bare_subject,
    interval,
    report,
    standing,
    subject,
    undefined_subject,
)
from tests.render.document.reading import columns, said


def test_everything_about_quality_has_a_column_in_the_first_table() -> None:
    assert list(columns(subjects_section(report(subject())))) == [
        "model",
        "cases",
        "samples",
        "pass@1",
        "pass@1, 95 % new cases",
        "pass@1, re-run",
        "pass@5",
        "score",
        "score, 95 % new cases",
        "grade",
    ]


def test_everything_a_subject_takes_has_a_column_in_the_second_table() -> None:
    section = means_section(report(replace(subject(), latency_score=Estimate.of(0.5))))

    assert section.title == "Builds, costs and times"
    assert list(columns(section)) == [
        "model",
        "build rate",
        "test rate",
        "cost",
        "cost of pass",
        "cost of pass, 95 % new cases",
        "latency (s)",
        "latency score",
    ]


def test_intervals_stand_beside_the_first_k_and_the_score_and_are_told_apart() -> None:
    section = subjects_section(report(subject()))

    table = columns(section)
    assert (table["pass@1, 95 % new cases"], table["pass@1, re-run"]) == (["0.61–0.93"], ["0.738–0.802"])  # noqa: RUF001  # as shown
    assert table["score, 95 % new cases"] == ["0.70–0.96"]  # noqa: RUF001  # as shown
    assert "new cases: interval for new cases of the same kind; re-run: for these cases resampled" in (
        said(section)
    )


def test_what_is_not_shown_is_not_explained_either() -> None:
    only_new = replace(subject(), pass_at_k=(AtK(k=1, estimate=Estimate.of(0.5, interval(0.1, 0.9))),))

    assert "new cases: interval for new cases of the same kind" in said(subjects_section(report(only_new)))
    assert said(subjects_section(report(bare_subject()))) == []


def test_the_level_of_the_settings_is_the_level_in_the_titles() -> None:
    section = subjects_section(report(subject(), settings=replace(SETTINGS, level=0.9)))

    assert [column.title for column in section.columns].count("90 % new cases") == 2


def test_ranks_have_a_column_when_there_is_something_to_rank() -> None:
    first = replace(subject("a"), standing=standing(1, 1, 2, top=True))
    second = replace(subject("b"), standing=standing(2, 1, 2, top=True))

    section = subjects_section(report(first, second))

    assert columns(section)["rank"] == ["1 (1–2)", "2 (1–2)"]  # noqa: RUF001  # as shown


def test_a_report_without_any_k_still_has_a_table() -> None:
    whole = report(replace(subject(), pass_at_k=()), settings=replace(SETTINGS, pass_k=()))

    assert list(columns(subjects_section(whole)))[:4] == ["model", "cases", "samples", "score"]


def test_a_cost_of_pass_has_its_interval_and_perhaps_no_upper_end() -> None:
    open_end = CostOfPass(value=0.02, interval=interval(0.012, None))
    never = CostOfPass(value=None, infinite=True, lower_bound=1.93, interval=interval(1.93, None))
    rows = [subject("a"), *(replace(subject("b"), cost_of_pass=cost) for cost in (open_end, never))]

    table = columns(means_section(report(*rows)))

    assert table["cost of pass"] == ["$0.0090", "$0.0200", "≥ $1.93 (0 of 60 passed)"]
    assert table["cost of pass, 95 % new cases"] == ["$0.0071–$0.0112", "≥ $0.0120", UNDEFINED]  # noqa: RUF001  # as shown


def test_an_interval_without_any_end_has_no_column() -> None:
    unbounded = CostOfPass(value=0.02, interval=interval(None, None))

    assert "cost of pass, 95 % new cases" not in columns(
        means_section(report(replace(subject(), cost_of_pass=unbounded)))
    )


def test_what_nobody_measured_has_no_column_and_no_excuse() -> None:
    section = subjects_section(report(bare_subject()))

    assert list(columns(section)) == ["model", "cases", "samples", "pass@1", "pass@5", "score", "grade"]
    assert said(section) == []
    assert means_section(report(bare_subject())).is_empty


def test_what_only_one_measured_is_a_dash_for_the_other() -> None:
    section = means_section(report(subject("a"), bare_subject("b")))

    assert columns(section)["cost"] == ["$0.4120", UNDEFINED]
    gaps = "build rate, test rate, cost, cost of pass and latency (s) of b"
    assert said(section) == [
        f"{gaps}: not defined, the outcomes have no such data",
        "cost of pass: all costs divided by all passes, over all cases together",
    ]


def test_the_tier_has_a_column_only_when_there_are_several() -> None:
    one = subjects_section(report(subject("a"), subject("b")))
    two = subjects_section(report(subject("a", "T0"), subject("a", "T1")))

    assert "tier" not in columns(one)
    assert columns(two)["tier"] == ["T0", "T1"]


def test_an_undefined_pass_at_k_is_explained_with_its_detail() -> None:
    section = subjects_section(report(replace(bare_subject(), pass_at_k=at_ks(0.5, None))))

    assert said(section) == ["pass@5: not defined, 3 of 10 cases have fewer than 10 samples"]


def test_the_same_gap_of_everybody_is_explained_once() -> None:
    short = replace(bare_subject(), pass_at_k=at_ks(0.5, None))

    section = subjects_section(report(short, replace(short, model="b")))

    assert said(section) == ["pass@5 of all 2 models: not defined, 3 of 10 cases have fewer than 10 samples"]


def test_a_partly_priced_run_says_what_is_known() -> None:
    detail = "3 samples have no cost; the others cost $0.4120"
    partly = Estimate.undefined(Reason.PARTLY_MEASURED, detail)

    section = means_section(report(replace(subject(), total_cost_usd=partly, cost_of_pass=None)))

    assert said(section) == [f"cost and cost of pass: not defined, {detail}"]


def test_a_grade_needs_a_score() -> None:
    gap = Estimate.undefined(Reason.NO_SAMPLES, "1 of 4 cases have no evidence")
    nothing = Grade(letter=None, scale="letters-95", probabilities={})
    ungraded = replace(bare_subject("b"), grade=nothing, score=gap)

    section = subjects_section(report(bare_subject("a"), ungraded))

    assert columns(section)["grade"] == ["B", UNDEFINED]
    assert said(section) == ["score and grade of b: not defined, 1 of 4 cases have no evidence"]


def test_a_cost_without_samples_buys_no_pass() -> None:
    section = means_section(report(replace(subject(), samples=0, cost_of_pass=CostOfPass(value=None))))

    assert said(section) == ["cost of pass: not defined, samples are missing"]


def test_a_subject_without_samples_is_all_dashes() -> None:
    section = subjects_section(report(undefined_subject()))

    assert columns(section)["score"] == [UNDEFINED]
    assert said(section) == ["pass@1, pass@5, score and grade: not defined, samples are missing"]


def test_no_subject_is_no_section() -> None:
    assert subjects_section(report()).is_empty
    assert means_section(report()).is_empty


def test_failures_are_told_apart_when_there_is_more_than_one_kind() -> None:
    section = failures_section(report(subject("a"), bare_subject("b")))

    assert columns(section) == {
        "model": ["a", "b"],
        "failed": ["14", "14"],
        "wrong": ["9", "14"],
        "no build": ["3", "0"],
        "timeout": ["2", "0"],
    }


def test_plain_failures_need_no_table() -> None:
    assert failures_section(report(bare_subject())).is_empty
