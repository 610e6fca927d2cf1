from dataclasses import replace

from steelyard.model.estimate import Reason
from steelyard.render.document.spreads import spreads_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import (
    NO_STATISTICS,
    report,
    statistics,
    subject,
    tiered_report,
    undefined_subject,
)
from tests.render.document.reading import columns, said


def test_a_judge_makes_the_spread_worth_showing() -> None:
    judged = replace(subject("a"), spreads=replace(subject().spreads, impl_rate=statistics(0.5)))

    table = columns(spreads_section(report(judged)))

    assert list(table) == ["model", "quantity", "median", "mean", "mode", "min", "max", "std_dev", "count"]
    assert table["quantity"] == ["pass rate", "score", "impl rate", "cost", "latency (s)"]
    assert table["median"] == ["1.0000", "0.8550", "0.5000", "$0.0069", "1.25"]


def test_tiers_make_the_spread_worth_showing() -> None:
    assert len(spreads_section(tiered_report()).rows) == 17


def test_one_tier_without_a_judge_shows_no_spread() -> None:
    assert spreads_section(report(subject("a"), subject("b"))).is_empty


def test_no_values_are_no_section() -> None:
    assert spreads_section(report(undefined_subject("a", "T0"), undefined_subject("a", "T1"))).is_empty


def test_medians_left_out_for_size_are_explained() -> None:
    too_many = replace(NO_STATISTICS, count=3_000_000, mean=0.8, reason=Reason.TOO_MANY_VALUES)
    one, two = (
        replace(subject("a", tier), spreads=replace(subject().spreads, score=too_many))
        for tier in ("T0", "T1")
    )

    section = spreads_section(report(one, two))

    assert columns(section)["median"][1] == UNDEFINED
    assert columns(section)["mean"][1] == "0.8000"
    assert said(section) == [
        (
            "median of score of all 2 subjects: not defined,"
            " skipped for so many samples; --statistics full computes it"
        )
    ]
