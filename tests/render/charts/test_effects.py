from dataclasses import replace

from steelyard.model.verdict import GateRule
from steelyard.render.charts.effects import plausible_drops, uplift
from tests.analysis.gates import clear_drop, noise
from tests.analysis.reports import report, subject, tiered_report


def test_the_margin_is_drawn_through_every_row_and_named() -> None:
    drawn = str(plausible_drops(clear_drop()))

    assert drawn.count('class="limit"') == 2  # one in the row, one in the words below
    assert "the margin: a drop of 5 points" in drawn


def test_the_axis_reaches_to_a_margin_that_no_drop_comes_near() -> None:
    wide = replace(noise(), rule=GateRule(margin=0.3))

    assert ">-30.0</text>" in str(plausible_drops(wide))


def test_the_legend_has_the_colours_of_the_drops() -> None:
    drawn = str(plausible_drops(clear_drop()))

    assert "point worse" in drawn.partition("<figcaption>")[2]
    assert "point better" not in drawn


def test_every_tier_is_drawn_with_its_interval() -> None:
    drawn = str(uplift(tiered_report()))

    assert drawn.count("+12.5 %") >= 2
    assert drawn.count("+2.0 % to +31.0 %") >= 2
    assert 'class="pale better"' in drawn
    assert "95 % interval" in drawn


def test_one_tier_gains_over_nothing() -> None:
    assert uplift(report(subject())) is None
