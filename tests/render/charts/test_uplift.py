from steelyard.render.charts.uplift import uplift
from tests.analysis.reports import report, subject, tiered_report


def test_every_tier_is_drawn_with_its_interval() -> None:
    drawn = str(uplift(tiered_report()))

    assert drawn.count("+12.5 %") >= 2
    assert drawn.count("+2.0 % to +31.0 %") >= 2
    assert 'class="pale better"' in drawn
    assert "95 % interval" in drawn


def test_one_tier_gains_over_nothing() -> None:
    assert uplift(report(subject())) is None
