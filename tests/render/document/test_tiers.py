from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import TierSpread, Uplift
from steelyard.render.document.tiers import tier_spread_section, uplift_section
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import report, subject, tiered_report
from tests.render.document.reading import columns, said


def test_each_tier_stands_beside_its_baseline() -> None:
    section = uplift_section(tiered_report())

    assert columns(section)["uplift by median"] == ["baseline", "+20.0 %", "baseline", "+20.0 %"]
    assert columns(section)["points"] == ["baseline", "+9.5", "baseline", "-2.0"]
    assert said(section) == []


def test_an_uplift_has_its_interval_where_somebody_worked_it_out() -> None:
    table = columns(uplift_section(tiered_report()))

    assert table["uplift by mean, 95 % new cases"] == [UNDEFINED, "+2.0 % to +31.0 %"] * 2
    assert "points, 95 % new cases" not in table


def test_an_uplift_over_nothing_is_explained_and_the_points_stay() -> None:
    zero = Estimate.undefined(Reason.BASELINE_ZERO)
    uplift = Uplift(baseline_tier="T0", of_median=zero, of_mean=zero, points=Estimate.of(0.4))

    section = uplift_section(report(subject("a", "T0"), replace(subject("a", "T1"), uplift=uplift)))

    assert columns(section)["uplift by mean"] == ["baseline", UNDEFINED]
    assert columns(section)["points"] == ["baseline", "+40.0"]
    assert said(section) == [
        (
            "uplift by median and uplift by mean of a in T1: not defined,"
            " the baseline is 0, so the relative change is undefined"
        )
    ]


def test_a_model_without_the_baseline_tier_has_no_uplift() -> None:
    section = uplift_section(report(subject("a", "T1"), subject("b", "T0")))

    assert said(section) == [
        (
            "uplift by median, uplift by mean and points of a in T1: not defined,"
            " the baseline tier has no result to compare with"
        )
    ]


def test_one_tier_has_nothing_to_compare() -> None:
    whole = report(subject("a"), subject("b"))

    assert uplift_section(whole).is_empty
    assert tier_spread_section(whole).is_empty


def test_how_far_tiers_lie_apart_is_shown_as_far_as_it_was_measured() -> None:
    section = tier_spread_section(tiered_report())

    assert columns(section) == {
        "model": ["acme/large", "acme/small"],
        "tiers": ["T0, T1", "T0, T1"],
        "pass rate variance": ["0.0025", "0.0025"],
        "cost delta": ["$0.0031", "$0.0031"],
    }


def test_a_spread_that_one_model_lacks_is_explained() -> None:
    whole = tiered_report()
    lacking: TierSpread = replace(whole.tiers[1], cost_delta_usd=Estimate.undefined(Reason.NOT_MEASURED))

    section = tier_spread_section(replace(whole, tiers=(whole.tiers[0], lacking)))

    assert said(section) == ["cost delta of acme/small: not defined, the outcomes have no such data"]
